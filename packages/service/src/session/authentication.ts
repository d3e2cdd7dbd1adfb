import type { SignInMethod } from '@vestibule/contract/schema';
import type { SessionRow } from '../core/database/tables.ts';

/** A proof of identity: a sign-in, or a verification in a session. */
export interface Authentication {
  /** Ms since 1970. */
  readonly at: number;
  /** RFC 8176. */
  readonly amr: readonly string[];
}

/** The level of a proof (`acr`): `mfa` stands for two steps, and for a passkey. */
export const levelOf = ({ amr }: Pick<Authentication, 'amr'>): 1 | 2 => (amr.includes('mfa') ? 2 : 1);

export const acrOf = (level: 1 | 2): string => `urn:vestibule:${level}`;

/** The authentication method (RFC 8176) of a first step; it has none for other providers. */
export function firstStepOf(method: SignInMethod): string {
  return method === 'basic' ? 'pwd' : 'fed';
}

/** The sign-in of a session. Sessions of an earlier release have no `amr`, and count as one step. */
export function signInOf({
  created_at,
  amr,
  method,
}: Pick<SessionRow, 'created_at' | 'amr' | 'method'>): Authentication {
  return {
    at: created_at.getTime(),
    amr: amr === null ? [firstStepOf(method)] : amr.split(' ').filter((one) => one !== ''),
  };
}

/** The methods (RFC 8176) of a verified identity. @param method as the verification token has it. */
export const amrOfProof = (method: string): readonly string[] =>
  ({ passkey: ['pop', 'user', 'mfa'], basic: ['pwd'] })[method] ?? ['fed'];
