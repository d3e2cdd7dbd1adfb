import type { LoginMethodRow } from '../database/tables.ts';

/** A provider that an account may sign in with. */
export type ProviderLogin =
  | { readonly method: 'google' }
  | { readonly method: 'microsoft'; readonly tenantId: string; readonly clientId: string };

/** The authorisation code from the browser. */
export interface ProviderProof {
  readonly code: string;
  /** The PKCE verifier (RFC 7636); required by the contract for Microsoft. */
  readonly codeVerifier?: string;
}

/** @returns `null` if the account does not offer this provider. */
export function loginOf(
  methods: readonly LoginMethodRow[],
  method: ProviderLogin['method'],
): ProviderLogin | null {
  const row = methods.find((one) => one.method === method);
  if (row === undefined) return null;
  if (method === 'google') return { method };
  return row.tenant_id === null || row.client_id === null
    ? null
    : { method, tenantId: row.tenant_id, clientId: row.client_id };
}
