import { findByUid, type AccountRecord } from '../directory/accounts';
import { noAccess } from '../errors';
import type { ServiceContext } from '../serviceContext';
import { exchangeCode, type ExchangeDemands } from './exchangeCode';
import { isSameMailbox } from './identity';
import { loginOf, type ProviderLogin, type ProviderProof } from './login';

/**
 * Lets a provider prove that the person at the browser is the owner of an account: the account offers the provider, and
 * the address that the provider vouches for is the account's. For signing in, and with
 * `{ authenticatedWithinSeconds }` for verifying the identity of a signed-in user again.
 *
 * @param account `null` for an unknown username; the provider is not asked then, nor for a method that is not offered.
 * @returns the account as it is now: the exchange may take seconds, in which it may have changed.
 * @throws ServiceError 401 `no_access`, the same for whatever does not fit; 502, 503, 504 `unavailable`.
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
  const email = await exchangeCode(context, login, proof, demands);

  const present = await findByUid(context.db, account.user.uid);
  if (present === null || loginOf(present.methods, method) === null) throw noAccess();
  if (!isSameMailbox(present.user.email, email)) {
    context.settings.logger.warn('provider sign-in refused', { provider: method, reason: 'another person' });
    throw noAccess();
  }
  return present;
}
