import type { Kysely, Transaction } from 'kysely';
import { findByUsername } from '../accounts/accounts.ts';
import { withAnyUserLocked } from '../accounts/lockUser.ts';
import { closeApiInvitations } from '../links/links.ts';
import type { AuditEvent } from '../core/audit/audit.ts';
import type { Tables } from '../core/database/tables.ts';
import type { UidOf } from '../core/directory.ts';
import { codeScope, passwordScope } from '../core/limits/attemptKeys.ts';
import type { ServiceContext } from '../core/context.ts';

export type AccountContext = ReturnType<typeof createAccountContext>;

/** The context, with functions that several methods use. */
export function createAccountContext(context: ServiceContext) {
  const { db, audit } = context;
  const uidOf: UidOf = async (username) => {
    const account = await findByUsername(db, username);
    if (account === null) throw new Error('There is no account with this username.');
    return account.user.uid;
  };
  const done = (event: AuditEvent, uid: string | null, trx: Kysely<Tables> = db): Promise<void> =>
    audit.record(trx, { event, outcome: 'success', uid });
  const scopesOf = async (username: string): Promise<readonly string[]> => {
    const account = await findByUsername(db, username);
    const codes =
      account === null
        ? []
        : (['challenge', 'setup'] as const).map((kind) => codeScope(kind, account.user.uid));
    return [passwordScope(username), ...codes];
  };
  /** Ends all access that was granted for an account, including API invitations mailed to its address. */
  const end = async (
    username: string,
    event: AuditEvent,
    more?: (trx: Transaction<Tables>, uid: string) => Promise<void>,
  ): Promise<void> => {
    await withAnyUserLocked(db, await uidOf(username), async (trx, { uid, email }) => {
      await context.slots.endAccess({ ...context, db: trx }, uid, 'administrator');
      await closeApiInvitations({ ...context, db: trx }, { mailbox: email });
      await more?.(trx, uid);
      await done(event, uid, trx);
    });
  };
  return { ...context, uidOf, done, scopesOf, end };
}
