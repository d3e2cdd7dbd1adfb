import type { Command } from 'commander';
import type { CommandTools } from '../capability.ts';
import { CommandError } from '../platform/directory.ts';
import { buildPasswordFilter } from './passwordFilter.ts';

/** `vestibule passwords …`: docs/operations.md#breached-passwords. */
export function addPasswordCommands(program: Command, { options, print }: CommandTools): void {
  program
    .command('passwords')
    .description('the list of breached passwords')
    .command('import')
    .description(
      'replace the list PASSWORD_LIST: from SHA-1 or NTLM hashes, one a line, with or without :COUNT (Have I Been Pwned), or from passwords, one a line',
    )
    .argument('<file>')
    .action(async (file: string) => {
      const { passwordList } = options();
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
