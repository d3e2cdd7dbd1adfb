import { decodeProtectedHeader } from 'jose';
import type Provider from 'oidc-provider';
import type { KoaContextWithOIDC } from 'oidc-provider';
import type { ForeignContext } from '../core/http/foreignRoutes.ts';
import { spend } from '../core/spentProofs.ts';
import type { OpenIdContext } from './context.ts';
import { rawSecretOf } from './basicCredentials.ts';
import { callOf } from './familySession.ts';

/** Throws if the network of the caller exceeds a limit, before anything is stored or compared. */
export type Limit = (ctx: KoaContextWithOIDC, ...given: Parameters<ForeignContext['limit']>) => void;

/**
 * The members of oidc-provider 9.13 that are replaced, because no option of it does the same. A test fails when the library changes one
 * of them.
 */
export function overrideMembers(
  provider: Provider,
  current: () => KoaContextWithOIDC | undefined,
  { clients, db, settings }: OpenIdContext,
  limit: Limit,
): void {
  const { Client, IdToken, ReplayDetection } = provider;

  // Secrets are stored as hashes. Wrong ones count by client and network, so that others cannot lock out the client.
  Client.prototype.compareClientSecret = async function compareClientSecret(secret) {
    const ctx = current();
    if (ctx === undefined) return false;
    const subject = `secret of ${this.clientId}`;
    limit(ctx, subject, { increment: false });
    const given = [...new Set([secret, rawSecretOf(ctx) ?? secret])];
    for (const one of given) if (await clients.hasSecret(this.clientId, one)) return true;
    callOf(ctx).limit(subject);
    return false;
  };

  // The library looks and then writes, so that two requests at once could use an assertion or a proof.
  Object.assign(ReplayDetection, {
    unique: (issuer: string, id: string, exp: number) =>
      spend(db, 'openid', `${issuer} ${id}`, new Date(Math.max(exp * 1000, settings.now()))),
  });

  // Logout tokens and receipts of payments have the same key, issuer and audience as ID tokens; the library compares only those.
  const validate = IdToken.validate.bind(IdToken);
  IdToken.validate = (token, client) => {
    const { typ } = decodeProtectedHeader(token);
    if (typ !== undefined && typ !== 'JWT') throw new TypeError('The token is no ID token.');
    return validate(token, client);
  };
}
