import { auth } from '@features/auth/feature';
import { confirmations } from '@features/confirmations/feature';
import { events } from '@features/events/feature';
import { languages } from '@features/languages/feature';
import { mfa } from '@features/mfa/feature';
import { notices } from '@features/notices/feature';
import { openid } from '@features/openid/feature';
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

/** The features that every deployment has. */
const specified = [session, uiDialogs, auth, password, account, mfa] as const satisfies readonly Feature[];

/** The extensions. Where several of them show or do something at the same place, they do it in this order. */
const optional = [
  recoveryCodes,
  passwordCheck,
  notices,
  passkeys,
  sessions,
  events,
  openid,
  confirmations,
  revoke,
  languages,
] as const satisfies readonly Feature[];

const listed = [...specified, ...optional] as const;

/** The exact types of the features, from which the type of the state follows. */
export type ListedFeature = (typeof listed)[number];
export type Extension = (typeof optional)[number];

export const core: readonly Feature[] = specified;
export const extensions: readonly Feature[] = optional;

export const features: readonly Feature[] = listed;

/** The configuration keys that decide which features are in use. */
type Configured = Pick<AppConfig, 'extensions' | 'languages'>;

/** The features in use. The configuration lists the extensions among them. */
export const featuresOf = (config: Configured): readonly Feature[] => [
  ...core,
  ...extensions.filter(({ name, isConfigured }) =>
    isConfigured ? isConfigured(config) : config.extensions.includes(name),
  ),
];

/** The calls of the given features, by their group. */
export const callsOf = (some: readonly Feature[]): FeatureCalls =>
  Object.assign({}, ...some.map(({ calls }) => calls)) as FeatureCalls;
