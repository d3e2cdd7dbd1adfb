import type { ExtensionChecks } from './checks.ts';
import { confirmations } from './confirmations.ts';
import { events } from './events.ts';
import { notices } from './notices.ts';
import { openId } from './openid.ts';
import { passkeys } from './passkeys.ts';
import { passwordCheck } from './password-check.ts';
import { recoveryCodes } from './recovery-codes.ts';
import { revoke } from './revoke.ts';
import { sessions } from './sessions.ts';

/** The checks of each extension. */
export const extensionChecks: readonly ExtensionChecks[] = [
  revoke,
  recoveryCodes,
  events,
  sessions,
  notices,
  passkeys,
  passwordCheck,
  openId,
  confirmations,
];
