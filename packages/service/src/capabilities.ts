import type { Capability } from './capability.ts';
import { events } from './events/capability.ts';
import { notices } from './notices/capability.ts';
import { passkeys } from './passkeys/capability.ts';
import { passwordCheck } from './password-check/capability.ts';
import { recoveryCodes } from './recovery-codes/capability.ts';
import { revoke } from './revoke/capability.ts';
import { sessions } from './sessions/capability.ts';

/** The parts of the service, in the order in which they are asked. */
export const capabilities: readonly Capability[] = [
  notices,
  passkeys,
  sessions,
  recoveryCodes,
  passwordCheck,
  events,
  revoke,
];
