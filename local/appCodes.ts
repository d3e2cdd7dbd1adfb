import { totpCode } from '../service/mfa/totp';
import type { Service } from '../service/index';
import type { ReadyAccount } from './accounts';

/** What the authenticator app of an account on the list shows at the moment. */
export interface AppCode {
  readonly username: string;
  readonly code: string;
}

/**
 * The codes of the accounts on the list that have an authenticator app now, ready-made or set up since, so that
 * it can be tried without a phone.
 */
export async function appCodesOf(
  service: Service,
  accounts: readonly ReadyAccount[],
): Promise<readonly AppCode[]> {
  const present = await Promise.all(accounts.map(({ username }) => service.directory.findAccount(username)));
  return present.flatMap((account) =>
    account?.mfa?.type === 'mfa'
      ? [{ username: account.username, code: totpCode(account.mfa.secret, Date.now()) }]
      : [],
  );
}
