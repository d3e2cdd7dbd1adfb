import { sql, type Kysely } from 'kysely';
import { mfaTypes } from '../core/database/twoStepMethod.ts';
import { anyOf } from '../platform/database/anyOf.ts';
import {
  userColumns,
  type LoginMethodRow,
  type MfaFactorRow,
  type ProviderIdentityRow,
  type Tables,
  type UserRow,
} from '../core/database/tables.ts';
import { usernameKey } from '../core/database/usernameKey.ts';
import type { AccountFilter, AccountPart, ExportChoice } from '../core/directory.ts';
import { passwordScope } from '../core/limits/attemptKeys.ts';

/** An account with all its stored data. */
export interface StoredAccount<Part = object> {
  readonly user: UserRow;
  readonly methods: readonly LoginMethodRow[];
  /** The active factor. */
  readonly factor: MfaFactorRow | null;
  readonly identities: readonly ProviderIdentityRow[];
  /** Until when its password is locked for at least one source. */
  readonly lockedUntil: Date | null;
  /** What capabilities add to it in a file. */
  readonly parts: (choice: ExportChoice) => Partial<Part>;
}

const pageSize = 500;

/** Reads the accounts in the order of their usernames, in pages: there may be millions. */
export async function* readAccounts<Part>(
  db: Kysely<Tables>,
  filter: AccountFilter,
  now: () => number,
  parts: readonly AccountPart<Part>[] = [],
): AsyncGenerator<StoredAccount<Part>> {
  let last = filter.after === undefined ? null : usernameKey(filter.after);
  for (;;) {
    const page = await pageAfter(db, filter, last).execute();
    for (const account of await withDetails(db, page, new Date(now()), parts)) {
      if (filter.isLocked === undefined || filter.isLocked === (account.lockedUntil !== null)) yield account;
    }
    const end = page.at(-1);
    if (end === undefined || page.length < pageSize) return;
    last = end.username_key;
  }
}

function pageAfter(db: Kysely<Tables>, filter: AccountFilter, last: string | null) {
  const { username, search, method, twoStep, application, hasPassword, isDisabled, createdSince } = filter;
  let query = db.selectFrom('users').select(userColumns);
  if (last !== null) query = query.where('username_key', '>', last);
  if (username !== undefined) query = query.where('username_key', '=', usernameKey(username));
  if (search !== undefined) {
    const part = `%${search.replace(/[\\%_]/g, '\\$&')}%`;
    query = query.where(
      sql<boolean>`(username ilike ${part} or email ilike ${part} or first_name || ' ' || last_name ilike ${part})`,
    );
  }
  if (method !== undefined)
    query = query.where(
      sql<boolean>`exists (select from login_methods as one where one.uid = users.uid and one.method = ${method})`,
    );
  if (twoStep !== undefined) {
    const type = twoStep === 'on' || twoStep === 'off' ? null : mfaTypes[twoStep];
    const isOn = sql<boolean>`exists (select from mfa_factors as one where one.uid = users.uid
      and one.activated_at is not null and one.type = coalesce(${type}, one.type))`;
    query = query.where(twoStep === 'off' ? sql<boolean>`not ${isOn}` : isOn);
  }
  if (application !== undefined) query = query.where(sql<boolean>`jsonb_exists(personas, ${application})`);
  if (hasPassword !== undefined) query = query.where('password_hash', hasPassword ? 'is not' : 'is', null);
  if (isDisabled !== undefined) query = query.where('disabled_at', isDisabled ? 'is not' : 'is', null);
  if (createdSince !== undefined) query = query.where('created_at', '>=', createdSince);
  return query.orderBy('username_key').limit(pageSize);
}

async function withDetails<Part>(
  db: Kysely<Tables>,
  users: readonly UserRow[],
  now: Date,
  parts: readonly AccountPart<Part>[],
): Promise<readonly StoredAccount<Part>[]> {
  if (users.length === 0) return [];
  const uids = users.map(({ uid }) => uid);
  const methods = await db
    .selectFrom('login_methods')
    .selectAll()
    .where('uid', '=', anyOf(uids))
    .orderBy('position')
    .execute();
  const factors = await db
    .selectFrom('mfa_factors')
    .selectAll()
    .where('uid', '=', anyOf(uids))
    .where('activated_at', 'is not', null)
    .execute();
  const identities = await db
    .selectFrom('provider_identities')
    .selectAll()
    .where('uid', '=', anyOf(uids))
    .execute();
  const partsOf: Awaited<ReturnType<AccountPart<Part>['read']>>[] = [];
  for (const { read } of parts) partsOf.push(await read(db, uids));
  const scopes = users.map(({ username }) => passwordScope(username));
  const locks = await db
    .selectFrom('sign_in_attempts')
    .select(['scope', (eb) => eb.fn.max('locked_until').as('until')])
    .where('scope', '=', anyOf(scopes))
    .where('locked_until', '>', now)
    .groupBy('scope')
    .execute();
  return users.map((user, index) => ({
    user,
    methods: methods.filter(({ uid }) => uid === user.uid),
    factor: factors.find(({ uid }) => uid === user.uid) ?? null,
    identities: identities.filter(({ uid }) => uid === user.uid),
    lockedUntil: locks.find(({ scope }) => scope === scopes[index])?.until ?? null,
    parts: (choice) => Object.assign({}, ...partsOf.map((part) => part(user.uid, choice))) as Partial<Part>,
  }));
}
