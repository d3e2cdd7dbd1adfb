import type { IDToken } from 'oauth4webapi';
import { noAccess } from '../core/errors.ts';
import type { ServiceError } from '../platform/errors.ts';
import type { ProviderLogin, ProviderProof } from '../core/provider/login.ts';
import { spend } from '../core/spentProofs.ts';
import type { ServiceContext } from '../core/context.ts';
import { verifiedProviderIdentity, type VerifiedProviderIdentity } from './verifiedProviderIdentity.ts';

/** Additional requirements of an exchange. */
export interface ExchangeDemands {
  /** Forced re-authentication: maximum age of the sign-in at the provider (`auth_time`), in seconds. */
  readonly authenticatedWithinSeconds?: number;
}

/** Tolerance between the clocks of two machines. */
const clockToleranceSeconds = 30;
/** 128 bits in base64url, in characters. */
const minNonceLength = 22;

/**
 * Exchanges a code of a provider for a verified identity. The code is consumed, also by a failure; a code that was
 * used before is rejected without a request to the provider.
 *
 * @throws ServiceError 401 `no_access`: code, token or e-mail address is not accepted. 502, 503, 504 `unavailable`:
 * the provider failed.
 */
export async function exchangeCode(
  context: ServiceContext,
  login: ProviderLogin,
  proof: ProviderProof,
  demands: ExchangeDemands = {},
): Promise<VerifiedProviderIdentity> {
  const refuse = (reason: string): ServiceError => {
    context.settings.logger.warn('provider sign-in refused', { provider: login.method, reason });
    return noAccess();
  };
  if (!(await spendOf(context, 'code', login.method, proof.code))) throw refuse('code was used before');
  const claims = await context.providers.idTokenFor(login, proof);

  if (!(await hasFreshNonce(context, login, claims))) throw refuse('nonce is missing or was used before');
  if (!isRecent(claims, context.settings.now(), demands.authenticatedWithinSeconds)) {
    throw refuse('the person was not asked again');
  }
  const identity = verifiedProviderIdentity(login.method, claims);
  if (identity === null) throw refuse('the e-mail address is not verified');
  return identity;
}

/**
 * The contract does not transmit the browser's nonce, so it cannot be compared. Checked instead: the nonce is present
 * where the application sends one (the Microsoft-type provider, docs/behaviour.md#authorization-request), and no two
 * ID tokens have the same, so that a token of an earlier sign-in is rejected.
 */
async function hasFreshNonce(
  context: ServiceContext,
  { method }: ProviderLogin,
  { nonce }: IDToken,
): Promise<boolean> {
  if (nonce === undefined) return method === 'google';
  if (method === 'microsoft' && nonce.length < minNonceLength) return false;
  return spendOf(context, 'nonce', method, nonce);
}

function isRecent({ auth_time: seconds }: IDToken, now: number, within: number | undefined): boolean {
  if (within === undefined) return true;
  if (seconds === undefined) return false;
  const age = now / 1000 - seconds;
  return age <= within + clockToleranceSeconds && age >= -clockToleranceSeconds;
}

/** The time for which a used code or nonce is stored. It is longer than the lifetime of any code or ID token. */
const rememberedMilliseconds = 24 * 3600 * 1000;

/** @returns `false` if the code or nonce was used before. */
function spendOf(
  { db, settings }: ServiceContext,
  kind: 'code' | 'nonce',
  provider: string,
  value: string,
): Promise<boolean> {
  return spend(db, `${kind}:${provider}`, value, new Date(settings.now() + rememberedMilliseconds));
}
