import { isDeepStrictEqual } from 'node:util';
import { recordOf, type AccountRecord } from '../accounts/accounts.ts';
import { withUserLocked } from '../accounts/lockUser.ts';
import { noAccess } from '../errors.ts';
import { loginOf, type ProviderLogin, type ProviderProof } from '../provider/login.ts';
import type { ServiceContext } from '../serviceContext.ts';
import { exchangeCode, type ExchangeDemands } from './exchangeCode.ts';
import { compareOrBind } from './identityBinding.ts';

/**
 * Lets a provider prove that the person at the browser is the owner of an account: the account offers the provider, the
 * address that the provider vouches for is the account's, and the identity is the one that the account is bound to, or is
 * bound to now. For signing in, and with `{ authenticatedWithinSeconds }` for verifying the identity of a signed-in user
 * again.
 *
 * @param account `null` for an unknown username; the provider is not asked then, nor for a method that is not offered.
 * @returns the account as it is now: the exchange may take seconds, in which it may have changed.
 * @throws ServiceError 401 `no_access`, the same for every mismatch; 502, 503, 504 `unavailable`.
 */
export async function proveByProvider(
  context: Pick<ServiceContext, 'db' | 'settings' | 'providers'>,
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
