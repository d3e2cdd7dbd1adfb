import type { Command } from 'commander';
import type { Capability, CommandTools } from '../capability.ts';
import { CommandError } from '../platform/commandError.ts';
import type { PasswordCheckSettings } from './settings.ts';
import { passwordCheckEvents } from './events.ts';
import { loadBreachedPasswords, type PasswordCheckContext } from './breachedPasswords.ts';
import { checkNewPassword } from './checkNewPassword.ts';
import { passwordFindings } from './doctor.ts';
import { noteBreachedPassword, noting } from './noteBreachedPassword.ts';
import { buildPasswordFilter } from './passwordFilter.ts';
import { passwordCheckSettings } from './settings.ts';

/** Refuses breached, common and guessable passwords, and records a sign-in with a breached one. */
export const passwordCheck = {
  name: 'password-check',
  works: [noting],
  init: { isOn: true, summary: 'passwords that others know are refused' },
  auditEvents: passwordCheckEvents,
  decorate: async ({ settings }) => ({ breachedPasswords: await loadBreachedPasswords(settings) }),
  checkNewPassword,
  afterPasswordProof: noteBreachedPassword,
  settings: passwordCheckSettings,
  commands: addPasswordCommands,
  doctor: { machines: passwordFindings },
} satisfies Capability<PasswordCheckContext>;

/** `vestibule passwords …`: docs/operations.md#breached-passwords. */
function addPasswordCommands(
  program: Command,
  { options, print }: CommandTools<PasswordCheckSettings>,
): void {
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
