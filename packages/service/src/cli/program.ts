import { program } from 'commander';
import { capabilities } from '../capabilities.ts';
import { EnvironmentError } from '../environment.ts';
import { logger, migrate, serve } from '../start.ts';
import { addAccountCommands } from './accounts.ts';
import {
  addApiKeyCommands,
  addAuditCommands,
  addKeyCommands,
  addOutboxCommands,
  commandTools,
} from './administration.ts';
import { check } from './check.ts';
import { addClientCommands } from './clients.ts';
import { DeploymentError, type Deployment } from '../deployment.ts';
import {
  configFile,
  defaultFile,
  deploymentInUse,
  readDeploymentFile,
  variables,
} from './deploymentInUse.ts';
import { initialize, readListener, readProxies, type InitOptions } from './init.ts';
import { writePage } from './page.ts';
import { examine } from './doctor/doctor.ts';
import { formatFinding, type Finding } from '../platform/doctor/findings.ts';
import { reasonOf } from '../platform/namedError.ts';
import { commit, version } from '../version.ts';

interface DoctorOptions {
  readonly connectTo?: string;
  readonly json?: true;
}

program
  .name('vestibule')
  .description('Single sign-on: the service, its accounts, and its deployment.')
  .version(`${version} (${commit})`)
  .option(
    '--as <name>',
    'who runs the command, for the audit log, beside the login; not with sudo, whose user it names',
  )
  .option(
    '--config <file>',
    `the deployment, in YAML; default: ${defaultFile}, if it exists. Variables of the environment come before its own`,
  );

program
  .command('serve')
  .description(
    'run the page and the service; without a deployment the service alone, as the environment says',
  )
  .action(async () => {
    try {
      const deployment = deploymentInUse();
      await serve(variables(deployment), deployment);
    } catch (error) {
      logger.error('start failed', { reason: messageOf(error) });
      process.exit(1);
    }
  });

program
  .command('migrate')
  .description(
    'bring the schema of the database up to date for this release, without time limits, as `serve` does; running processes continue',
  )
  .action(() => migrate(variables(), logger));

program
  .command('init')
  .description('write the file of a deployment, the encryption key and the units of systemd')
  .argument('[login host]', 'the host of the page, such as login.example.com')
  .argument('[service host]', 'the host of the service, such as api.example.com')
  .option('--out <folder>', 'where to write the file and the secrets', '/etc/vestibule')
  .option(
    '--proxy <address>',
    'run behind the proxy with this address (or several, or ranges), which ends TLS; its X-Forwarded-For is believed',
    readProxies,
  )
  .option(
    '--listen <address:port>',
    'where the proxy reaches the process; default: 127.0.0.1:4001, for a proxy on this machine',
    readListener,
  )
  .option('--container', 'write for containers: no units, and secrets of /run/secrets')
  .action((loginHost: string | undefined, serviceHost: string | undefined, options: InitOptions) =>
    initialize(loginHost, serviceHost, options),
  );

program
  .command('check')
  .description(
    'say in words why the start with the file of a deployment would fail: its keys, files, database and ports',
  )
  .argument('[file]', `the deployment, in YAML; default: that of --config, or ${defaultFile}`)
  .action((file: string = configFile() ?? defaultFile) => check(file));

program
  .command('page')
  .description('write the page with its headers, for a host other than the service')
  .argument('<folder>', 'where to write it')
  .argument('[file]', `the deployment, in YAML; default: that of --config, or ${defaultFile}`)
  .action((folder: string, file: string = configFile() ?? defaultFile) => {
    writePage(folder, readDeploymentFile(file));
    console.log(`Wrote ${folder}.`);
  });

program
  .command('doctor')
  .description('check from outside whether a deployment matches its file, without changing anything')
  .argument('[file]', `the deployment, in YAML; default: that of --config, or ${defaultFile}`)
  .option('--connect-to <address>', 'connect to this address instead of those in the DNS')
  .option('--json', 'print each check as a line of JSON')
  .action((file: string | undefined, options: DoctorOptions) =>
    printFindings(readDeploymentFile(file ?? configFile() ?? defaultFile), options),
  );

addAccountCommands(program);
addKeyCommands(program);
addApiKeyCommands(program);
addAuditCommands(program);
addOutboxCommands(program);
addClientCommands(program);
for (const { commands } of capabilities) commands?.(program, commandTools);

/**
 * The command line: `vestibule serve`, `vestibule accounts …`. See docs/operations.md. The exit code
 * is in `process.exitCode`; invalid arguments end the process.
 *
 * @param args - the arguments, without those of Node.js
 */
export async function runCommand(args: readonly string[]): Promise<void> {
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    console.error(messageOf(error));
    process.exitCode = 1;
  }
}

async function printFindings(deployment: Deployment, { connectTo, json }: DoctorOptions): Promise<void> {
  const outside = { now: Date.now, ...(connectTo === undefined ? {} : { connectTo }) };
  const findings = await examine(deployment, outside);
  const those = (wanted: Finding['outcome']) => findings.filter(({ outcome }) => outcome === wanted);
  const [warnings, wrong] = [those('warning'), those('wrong')];
  for (const finding of findings)
    console.log(json === true ? JSON.stringify(finding) : formatFinding(finding));
  if (json !== true)
    console.log(`${findings.length} checks, ${warnings.length} warnings, ${wrong.length} wrong.`);
  if (wrong.length > 0) process.exitCode = 1;
}

function messageOf(error: unknown): string {
  const message = reasonOf(error);
  if (error instanceof DeploymentError) return `${message} See ${error.guide}.`;
  return error instanceof EnvironmentError ? `${message} See packages/service/README.md.` : message;
}
