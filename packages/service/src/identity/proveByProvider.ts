import { isDeepStrictEqual } from 'node:util';
import { recordOf, type AccountRecord } from '../accounts/accounts.ts';
import { withUserLocked } from '../accounts/lockUser.ts';
import { noAccess } from '../core/errors.ts';
import { loginOf, type ProviderLogin, type ProviderProof } from '../core/provider/login.ts';
import type { ServiceContext } from '../core/context.ts';
import { exchangeCode, type ExchangeDemands } from './exchangeCode.ts';
import { compareOrBind } from './identityBinding.ts';

/**
 * Verifies by a provider that the user owns an account: the account offers the provider, its e-mail address is the
 * one that the provider has verified, and the identity is the bound one, or is bound now. Used for sign-in, and with
 * `{ authenticatedWithinSeconds }` for verifying the identity of a signed-in user.
 *
 * @param account `null` for an unknown username. Then, and for a method that is not offered, no request is sent to
 * the provider.
 * @returns the present account, which may have changed during the exchange.
 * @throws ServiceError 401 `no_access`, the same for every mismatch; 502, 503, 504 `unavailable`.
 */
export async function proveByProvider(
  context: ServiceContext,
  account: AccountRecord | null,
  method: ProviderLogin['method'],
  proof: ProviderProof,
  demands?: ExchangeDemands,
): Promise<AccountRecord> {
  const login = account === null ? null : loginOf(account.methods, method);
  if (account === null || login === null) throw noAccess();
  const identity = await exchangeCode(context, login, proof, demands);

  const { logger, now } = context.settings;
  const proven = await withUserLocked(context.db, account.user.uid, async (trx, user) => {
    const present = await recordOf(trx, user);
    if (!isDeepStrictEqual(loginOf(present.methods, method), login)) return null;
    const refusal = await compareOrBind(trx, user, method, identity, {
      isSignedIn: demands !== undefined,
      now: new Date(now()),
    });
    if (refusal === null) return present;
    logger.warn('provider sign-in refused', { provider: method, reason: refusal });
    return null;
  });
  if (proven === null) throw noAccess();
  return proven;
}
