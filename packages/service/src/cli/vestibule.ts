/** The command line: `vestibule serve`, `vestibule configure`, `vestibule accounts …`. See docs/operations.md. */
import { readFileSync } from 'node:fs';
import { program } from 'commander';
import { EnvironmentError } from '../settings/environment.ts';
import { logger, migrate, serve } from '../start.ts';
import { addAccountCommands } from './accounts.ts';
import { addApiKeyCommands, addAuditCommands, addKeyCommands, addOutboxCommands } from './administration.ts';
import { configure } from './configure.ts';
import { DeploymentError, readDeployment } from './deployment.ts';
import { examine } from './doctor/doctor.ts';
import { formatFinding } from './doctor/findings.ts';

interface DoctorOptions {
  readonly connectTo?: string;
  readonly json?: true;
}

program
  .name('vestibule')
  .description('Single sign-on: the service, its accounts, and its deployment.')
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
      process.exitCode = 1;
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
    configure(readDeployment(readFileSync(file, 'utf8')), build, out);
    console.log(`Wrote ${out}/page, ${out}/vestibule.conf and ${out}/service.env.`);
  });

program
  .command('doctor')
  .description('check from outside whether a deployment matches its file, without changing anything')
  .argument('<file>', 'the deployment, in YAML')
  .option('--connect-to <address>', 'connect to this address instead of those in the DNS')
  .option('--json', 'print each check as a line of JSON')
  .action(async (file: string, { connectTo, json }: DoctorOptions) => {
    const outside = { now: Date.now, ...(connectTo === undefined ? {} : { connectTo }) };
    const findings = await examine(readDeployment(readFileSync(file, 'utf8')), outside);
    for (const finding of findings)
      console.log(json === true ? JSON.stringify(finding) : formatFinding(finding));
    const wrong = findings.filter(({ outcome }) => outcome === 'wrong').length;
    if (json !== true) console.log(`${findings.length} checks, ${wrong} wrong.`);
    if (wrong > 0) process.exitCode = 1;
  });

addAccountCommands(program);
addKeyCommands(program);
addApiKeyCommands(program);
addAuditCommands(program);
addOutboxCommands(program);

program.parseAsync().catch((error: unknown) => {
  console.error(messageOf(error));
  process.exitCode = 1;
});

function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : 'unknown';
  if (error instanceof DeploymentError) return `${message} See docs/operations.md.`;
  return error instanceof EnvironmentError ? `${message} See packages/service/README.md.` : message;
}
