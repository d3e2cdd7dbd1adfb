export type * from './settings.ts';
import { passwordChecks } from '@vestibule/contract/conformance/anonymousChecks';
import type { Capability } from '../capability.ts';
import { loadBreachedPasswords, type BreachedPasswords } from './breachedPasswords.ts';
import { checkNewPassword } from './checkNewPassword.ts';
import { addPasswordCommands } from './command.ts';
import { passwordFindings } from './doctor.ts';
import { noteBreachedPassword } from './noteBreachedPassword.ts';
import { passwordCheckSettings } from './settings.ts';

declare module '../platform/audit/audit.ts' {
  interface AuditEvents {
    'password-breached': EventKinds;
  }
}

declare module '../platform/errors.ts' {
  interface ErrorCodes {
    password_breached: true;
    password_guessable: true;
  }
}

declare module '../platform/serviceContext.ts' {
  interface ServiceContext {
    readonly breachedPasswords: BreachedPasswords;
  }
}

/** Refuses breached, common and guessable passwords, and records a sign-in with a breached one. */
export const passwordCheck: Capability = {
  name: 'password-check',
  auditEvents: { 'password-breached': {} },
  decorate: async ({ settings }) => ({ breachedPasswords: await loadBreachedPasswords(settings) }),
  checkNewPassword,
  afterPasswordProof: noteBreachedPassword,
  settings: passwordCheckSettings,
  commands: addPasswordCommands,
  doctor: { machines: passwordFindings, contract: passwordChecks },
};
