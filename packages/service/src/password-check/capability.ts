export type * from './settings.ts';
import type { Command } from 'commander';
import type { Capability, CommandTools } from '../capability.ts';
import { CommandError } from '../platform/commandError.ts';
import { loadBreachedPasswords, type BreachedPasswords } from './breachedPasswords.ts';
import { checkNewPassword } from './checkNewPassword.ts';
import { passwordFindings } from './doctor.ts';
import { noteBreachedPassword, noting } from './noteBreachedPassword.ts';
import { buildPasswordFilter } from './passwordFilter.ts';
import { passwordCheckSettings } from './settings.ts';

declare module '../core/audit/audit.ts' {
  interface AuditEvents {
    'password-breached': EventKinds;
  }
}

declare module '../core/context.ts' {
  interface ServiceContext {
    readonly breachedPasswords: BreachedPasswords;
  }
}

/** Refuses breached, common and guessable passwords, and records a sign-in with a breached one. */
export const passwordCheck: Capability = {
  name: 'password-check',
  works: [noting],
  init: { isOn: true, summary: 'passwords that others know are refused' },
  auditEvents: { 'password-breached': {} },
  decorate: async ({ settings }) => ({ breachedPasswords: await loadBreachedPasswords(settings) }),
  checkNewPassword,
  afterPasswordProof: noteBreachedPassword,
  settings: passwordCheckSettings,
  commands: addPasswordCommands,
  doctor: { machines: passwordFindings },
};

/** `vestibule passwords …`: docs/operations.md#breached-passwords. */
function addPasswordCommands(program: Command, { options, print }: CommandTools): void {
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
