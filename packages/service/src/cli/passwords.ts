import type { Command } from 'commander';
import { readEnvironment, withSecretFiles } from '../settings/environment.ts';
import { buildPasswordFilter } from '../security/passwordFilter.ts';
import { CommandError, print } from './administration.ts';

/** `vestibule passwords …`: docs/operations.md#breached-passwords. */
export function addPasswordCommands(program: Command): void {
  program
    .command('passwords')
    .description('the list of breached passwords')
    .command('import')
    .description(
      'write the list of PASSWORD_LIST anew: from SHA-1 or NTLM hashes, one a line, with or without :COUNT (Have I Been Pwned), or from passwords, one a line',
    )
    .argument('<file>')
    .action(async (file: string) => {
      const { passwordList } = readEnvironment(withSecretFiles(process.env)).service;
      if (passwordList === undefined) throw new CommandError('PASSWORD_LIST is not set.');
      let shown = 0;
      print(
        await buildPasswordFilter(file, passwordList, (share) => {
          const percent = Math.floor(share * 100);
          if (percent < shown + 5) return;
          shown = percent;
          console.error(`${percent} %`);
        }),
      );
    });
}
