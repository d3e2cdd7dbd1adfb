import { createHash } from 'node:crypto';
import type { IDToken } from 'oauth4webapi';
import { noAccess, type ServiceError } from '../errors.ts';
import type { ProviderLogin, ProviderProof } from '../provider/login.ts';
import type { ServiceContext } from '../serviceContext.ts';
import { verifiedProviderIdentity, type VerifiedProviderIdentity } from './verifiedProviderIdentity.ts';

type ExchangeContext = Pick<ServiceContext, 'db' | 'settings' | 'providers'>;

/** What an exchange has to prove beyond who is there. */
export interface ExchangeDemands {
  /** Forced re-authentication: the person was asked for their credentials at most this many seconds ago. */
  readonly authenticatedWithinSeconds?: number;
}

/** The clocks of two machines. */
const clockToleranceSeconds = 30;
/** 128 bits in base64url. */
const shortestNonce = 22;

/**
 * Exchanges a code of a provider for the identity that it vouches for. The code is used up by this, also if it fails,
 * and a code that was seen before is refused without asking the provider.
 *
 * @throws ServiceError 401 `no_access`: code, token or address do not count. 502, 503, 504 `unavailable`: the provider.
 */
export async function exchangeCode(
  context: ExchangeContext,
  login: ProviderLogin,
  proof: ProviderProof,
  demands: ExchangeDemands = {},
): Promise<VerifiedProviderIdentity> {
  const refuse = (reason: string): ServiceError => {
    context.settings.logger.warn('provider sign-in refused', { provider: login.method, reason });
    return noAccess();
  };
  if (!(await spend(context, 'code', login.method, proof.code))) throw refuse('code was used before');
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
 * The contract does not bring the browser's nonce here, so its equality cannot be checked. What can be: that there is
 * one where the application sends one (the Microsoft-type provider, docs/behaviour.md#authorization-request), and that no two ID tokens carry
 * the same, so that a token of an earlier sign-in cannot be passed off as the answer to a new code.
 */
async function hasFreshNonce(
  context: ExchangeContext,
  { method }: ProviderLogin,
  { nonce }: IDToken,
): Promise<boolean> {
  if (nonce === undefined) return method === 'google';
  if (method === 'microsoft' && nonce.length < shortestNonce) return false;
  return spend(context, 'nonce', method, nonce);
}

function isRecent({ auth_time: seconds }: IDToken, now: number, within: number | undefined): boolean {
  if (within === undefined) return true;
  if (seconds === undefined) return false;
  const age = now / 1000 - seconds;
  return age <= within + clockToleranceSeconds && age >= -clockToleranceSeconds;
}

/** Longer than any code or ID token lives; after that the provider itself refuses them. */
const rememberedMilliseconds = 24 * 3600 * 1000;

/**
 * Uses something up that counts once: an authorisation code, a nonce.
 *
 * @returns `false` when it was used before, by any instance of the service.
 */
async function spend(
  { db, settings }: Pick<ServiceContext, 'db' | 'settings'>,
  kind: 'code' | 'nonce',
  provider: string,
  value: string,
): Promise<boolean> {
  const fingerprint = createHash('sha256').update(`${kind}:${provider}:${value}`, 'utf8').digest('hex');
  const spent = await db
    .insertInto('spent_proofs')
    .values({ fingerprint, expires_at: new Date(settings.now() + rememberedMilliseconds) })
    .onConflict((conflict) => conflict.column('fingerprint').doNothing())
    .returning('fingerprint')
    .executeTakeFirst();
  return spent !== undefined;
}
