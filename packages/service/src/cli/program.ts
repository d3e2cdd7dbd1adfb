import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
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
import { applyDeployment } from './apply.ts';
import { configure } from './configure.ts';
import { DeploymentError, readDeployment, type Deployment } from './deployment.ts';
import { examine } from './doctor/doctor.ts';
import { formatFinding, type Finding } from '../platform/doctor/findings.ts';
import { commit, version } from '../version.ts';

interface DoctorOptions {
  readonly connectTo?: string;
  readonly json?: true;
}

interface ApplyOptions extends Pick<DoctorOptions, 'connectTo'> {
  readonly dryRun?: true;
}

program
  .name('vestibule')
  .description('Single sign-on: the service, its accounts, and its deployment.')
  .version(`${version} (${commit})`)
  .option(
    '--as <name>',
    'who runs the command, for the audit log; default: the user of sudo or of the login',
  );

program
  .command('serve')
  .description('run the service with the variables of the environment (packages/service/README.md)')
  .action(() =>
    serve().catch((error: unknown) => {
      logger.error('start failed', { reason: messageOf(error) });
      process.exit(1);
    }),
  );

program
  .command('migrate')
  .description(
    'bring the schema of the database up to date for this release, without time limits; running processes continue',
  )
  .action(migrate);

program
  .command('configure')
  .description(
    'check the file of a deployment, and write the page, the configuration of nginx, and the variables of the service',
  )
  .argument('<file>', 'the deployment, in YAML')
  .option('--build <folder>', 'the production build of the page', 'dist')
  .requiredOption('--out <folder>', 'where to write')
  .action((file: string, { build, out }: { readonly build: string; readonly out: string }) => {
    configure(readFile(file), build, out);
    console.log(`Wrote ${out}/page, ${out}/vestibule.conf and ${out}/service.env.`);
  });

program
  .command('doctor')
  .description('check from outside whether a deployment matches its file, without changing anything')
  .argument('<file>', 'the deployment, in YAML')
  .option('--connect-to <address>', 'connect to this address instead of those in the DNS')
  .option('--json', 'print each check as a line of JSON')
  .action((file: string, options: DoctorOptions) => printFindings(readFile(file), options));

program
  .command('apply')
  .description(
    'bring the file of a deployment and this release into use on this machine, and check the result',
  )
  .argument('[file]', 'the deployment, in YAML', '/etc/vestibule/deployment.yaml')
  .option('--dry-run', 'only print what would change')
  .option('--connect-to <address>', 'where `doctor` connects, instead of the addresses in the DNS')
  .action(async (file: string, { dryRun, ...options }: ApplyOptions) => {
    const deployment = readFile(file);
    const release = fileURLToPath(new URL('../../../../', import.meta.url));
    await applyDeployment(deployment, path.resolve(release), {
      isDryRun: dryRun === true,
      print: (line) => {
        console.log(line);
      },
    });
    if (dryRun !== true) await printFindings(deployment, { ...options, onlyFaults: true });
  });

addAccountCommands(program);
addKeyCommands(program);
addApiKeyCommands(program);
addAuditCommands(program);
addOutboxCommands(program);
for (const { commands } of capabilities) commands?.(program, commandTools);

/**
 * The command line: `vestibule serve`, `vestibule apply`, `vestibule accounts …`. See docs/operations.md. The exit code
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

function readFile(file: string): Deployment {
  return readDeployment(readFileSync(file, 'utf8'));
}

async function printFindings(
  deployment: Deployment,
  { connectTo, json, onlyFaults = false }: DoctorOptions & { readonly onlyFaults?: boolean },
): Promise<void> {
  const outside = { now: Date.now, ...(connectTo === undefined ? {} : { connectTo }) };
  const findings = await examine(deployment, outside);
  const those = (wanted: Finding['outcome']) => findings.filter(({ outcome }) => outcome === wanted);
  const [warnings, wrong] = [those('warning'), those('wrong')];
  for (const finding of onlyFaults ? [...warnings, ...wrong] : findings)
    console.log(json === true ? JSON.stringify(finding) : formatFinding(finding));
  if (json !== true)
    console.log(`${findings.length} checks, ${warnings.length} warnings, ${wrong.length} wrong.`);
  if (wrong.length > 0) process.exitCode = 1;
}

function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : 'unknown';
  if (error instanceof DeploymentError) return `${message} See docs/operations.md.`;
  return error instanceof EnvironmentError ? `${message} See packages/service/README.md.` : message;
}
