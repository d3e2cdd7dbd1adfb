import { auth } from '@features/auth/feature';
import { events } from '@features/events/feature';
import { mfa } from '@features/mfa/feature';
import { notices } from '@features/notices/feature';
import { passwordCheck } from '@features/password-check/feature';
import { passkeys } from '@features/passkeys/feature';
import { password } from '@features/password/feature';
import { recoveryCodes } from '@features/recovery-codes/feature';
import { revoke } from '@features/revoke/feature';
import { session } from '@features/session/feature';
import { sessions } from '@features/sessions/feature';
import { uiDialogs } from '@features/ui-dialogs/feature';
import type { FeatureCalls } from '@shared/api/api';
import type { Feature } from '@shared/deps';
import type { AppConfig } from '@vestibule/contract/appConfig';
import { account } from './account';

/** Those of the specification. */
const specified = [session, uiDialogs, auth, password, account, mfa] as const satisfies readonly Feature[];

/** The extensions. The order is that of what they show and do at the same place. */
const extensions = [
  recoveryCodes,
  passwordCheck,
  notices,
  passkeys,
  sessions,
  events,
  revoke,
] as const satisfies readonly Feature[];

/** A feature with all that is known of it, for the types. */
export type ListedFeature = (typeof specified)[number] | (typeof extensions)[number];
export type Extension = (typeof extensions)[number];

export const core: readonly Feature[] = specified;

/** Every feature. */
export const features: readonly Feature[] = [...core, ...extensions];

/** The features in use: an extension only where the configuration lists it. */
export const featuresOf = ({ extensions: offered }: Pick<AppConfig, 'extensions'>): readonly Feature[] => [
  ...core,
  ...extensions.filter(({ name }) => offered.includes(name)),
];

/** The calls of features, by their group. */
export const callsOf = (some: readonly Feature[]): FeatureCalls =>
  Object.assign({}, ...some.map(({ calls }) => calls)) as FeatureCalls;
