import type { MfaType } from '@vestibule/contract/schema';

/** A method of two-step verification: text message or authenticator app. */
export type TwoStepMethod = 'text' | 'app';

/** The name of a method on the wire, in the database and in files. */
export const mfaTypes = { text: 'authy', app: 'mfa' } as const satisfies Record<TwoStepMethod, MfaType>;

/** The method of a stored row. */
export const methodOf = (type: MfaType): TwoStepMethod => (type === mfaTypes.text ? 'text' : 'app');
