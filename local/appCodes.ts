import { totpCode } from '../service/mfa/totp';
import type { Service } from '../service/index';
import type { ReadyAccount } from './accounts';

/** What the authenticator app of somebody on the list shows at the moment. */
export interface AppCode {
  readonly username: string;
  readonly code: string;
}

/**
 * The codes of everybody on the list who has an authenticator app now, ready-made or set up since, so that nobody
 * needs a phone to try it.
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
