import type { Capability } from './capability.ts';
import { accounts } from './accounts/capability.ts';
import { confirmations } from './confirmations/capability.ts';
import { events } from './events/capability.ts';
import { identity } from './identity/capability.ts';
import { links } from './links/capability.ts';
import { mfa } from './mfa/capability.ts';
import { notices } from './notices/capability.ts';
import { openId } from './openid/capability.ts';
import { passkeys } from './passkeys/capability.ts';
import { password } from './password/capability.ts';
import { passwordCheck } from './password-check/capability.ts';
import { recoveryCodes } from './recovery-codes/capability.ts';
import { revoke } from './revoke/capability.ts';
import { session } from './session/capability.ts';
import { sessions } from './sessions/capability.ts';
import { signIn } from './sign-in/capability.ts';

// The published types include the options, directory objects and audit events that capabilities declare.
export type * from './accounts/capability.ts';
export type * from './confirmations/capability.ts';
export type * from './events/capability.ts';
export type * from './identity/capability.ts';
export type * from './links/capability.ts';
export type * from './mfa/capability.ts';
export type * from './notices/capability.ts';
export type * from './openid/capability.ts';
export type * from './passkeys/capability.ts';
export type * from './password/capability.ts';
export type * from './password-check/capability.ts';
export type * from './recovery-codes/capability.ts';
export type * from './revoke/capability.ts';
export type * from './session/capability.ts';
export type * from './sessions/capability.ts';
export type * from './sign-in/capability.ts';

const listed = [
  // The calls that every service has.
  session,
  identity,
  mfa,
  links,
  accounts,
  signIn,
  password,
  // Extensions.
  notices,
  passkeys,
  sessions,
  recoveryCodes,
  passwordCheck,
  events,
  revoke,
  openId,
  confirmations,
] as const;

/** The type of the list, from which `slots.ts` derives other types. */
export type Listed = (typeof listed)[number];

/**
 * The parts of the service, in the order in which they are called. `createContext` makes one context that has what each of them needs, so
 * the type of the context can be omitted here.
 */
export const capabilities = listed as readonly Capability[];
