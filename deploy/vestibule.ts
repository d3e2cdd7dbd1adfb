/** The command line: `vestibule serve`, `vestibule configure`, `vestibule accounts …`. See docs/operating.md. */
import { readFileSync } from 'node:fs';
import { program } from 'commander';
import { EnvironmentError } from '../service/settings/environment';
import { serve } from '../service/start';
import { addAccountCommands } from './accounts';
import { addAuditCommands, addKeyCommands, addOutboxCommands } from './administration';
import { configure } from './configure';
import { DeploymentError, readDeployment } from './deployment';

program.name('vestibule').description('Single sign-on: the service, its accounts, and its deployment.');

program
  .command('serve')
  .description('run the service with the variables of the environment (service/README.md)')
  .action(serve);

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

addAccountCommands(program);
addKeyCommands(program);
addAuditCommands(program);
addOutboxCommands(program);

program.parseAsync().catch((error: unknown) => {
  const message = error instanceof Error ? error.message : 'unknown';
  if (error instanceof DeploymentError) console.error(`${message} See docs/operating.md.`);
  else console.error(error instanceof EnvironmentError ? `${message} See service/README.md.` : message);
  process.exitCode = 1;
});
