import { randomUUID } from 'node:crypto';
import type { Transaction } from 'kysely';
import { accountEvents } from '../accounts/events.ts';
import { anyOf } from '../platform/database/anyOf.ts';
import { emailColumns } from '../core/database/emailKeys.ts';
import type { MfaFactorRow, Tables } from '../core/database/tables.ts';
import { inTransaction } from '../platform/database/transaction.ts';
import { usernameKey } from '../core/database/usernameKey.ts';
import { isTextable } from '../mfa/addPhone.ts';
import { HashRefused, importedHash } from '../platform/security/foreignHashes.ts';
import { sealedPrefix } from '../platform/security/secretBox.ts';
import type { ServiceContext } from '../core/context.ts';
import type {
  AccountPart,
  ExportChoice,
  FileAccount,
  FileMfa,
  ImportedAccount,
  ImportOutcome,
} from '../core/directory.ts';
import { factorRowFrom, methodFrom, methodRowsFrom, personFrom, phoneFrom } from './accountRows.ts';
import type { StoredAccount } from './readAccounts.ts';
import { addPhones } from './writeAccount.ts';

/** Converts a stored account to the format of `importAccounts`. */
export function fileAccountFrom<Part>(
  { user, methods, factor, identities, parts }: StoredAccount<Part>,
  choice: ExportChoice,
): FileAccount & Partial<Part> & { readonly uid: string } {
  return {
    ...personFrom(user),
    methods: methods.map(methodFrom),
    personas: user.personas,
    mustSetUpMfa: user.must_set_up_mfa,
    mfa: factor === null ? null : fileMfaFrom(factor, choice),
    identities: Object.fromEntries(
      identities.map(({ method, issuer, subject }) => [method, { issuer, subject }]),
    ),
    lastReset: user.password_changed_at,
    createdAt: user.created_at,
    ...(user.disabled_at === null ? {} : { disabledAt: user.disabled_at }),
    ...(user.must_change_password ? { mustChangePassword: true } : {}),
    ...(user.language === null ? {} : { language: user.language }),
    ...(choice.passwordHashes && user.password_hash !== null ? { passwordHash: user.password_hash } : {}),
    ...parts(choice),
  };
}

function fileMfaFrom(factor: MfaFactorRow, { sealedSecrets }: ExportChoice): FileMfa {
  if (factor.type === 'authy') return phoneFrom(factor);
  // Without an encryption key the secrets are plaintext, and are not exported.
  const sealedSecret = sealedSecrets && isSealed(factor.totp_secret) ? factor.totp_secret : null;
  return { type: 'mfa', ...(sealedSecret === null ? {} : { sealedSecret }) };
}

function isSealed(secret: string | null): boolean {
  return secret?.startsWith(sealedPrefix) === true;
}

/** The rows of an account that was accepted. */
interface Row<Part> extends ImportedAccount<Part> {
  readonly passwordHash: string | null;
}

/**
 * Writes the accounts of a file in one transaction. Existing usernames are not changed, so that a file can be
 * imported again.
 *
 * @param accounts with different usernames.
 * @param isDry returns the outcomes without writing.
 * @returns an outcome for each account.
 */
export async function importAccounts<Part>(
  context: ServiceContext,
  accounts: readonly (FileAccount & Part)[],
  isDry: boolean,
  parts: readonly AccountPart<Part>[],
): Promise<readonly ImportOutcome[]> {
  const now = new Date(context.settings.now());
  const checked = accounts.map((account) => check(context, account, now, parts));
  const rows = checked.filter((one): one is Row<Part> => 'account' in one);
  const present = new Set<string>();
  const created = new Set<Row<Part>>();
  if (rows.length > 0) {
    const undone = new Error('undone');
    await inTransaction(context.db, async (trx) => {
      const keys = rows.map(({ account }) => usernameKey(account.username));
      const existing = await trx
        .selectFrom('users')
        .select('username_key')
        .where('username_key', '=', anyOf(keys))
        .execute();
      for (const { username_key } of existing) present.add(username_key);
      const fresh = rows.filter(({ account }) => !present.has(usernameKey(account.username)));
      for (const row of await insert(trx, fresh, now, parts)) created.add(row);
      await addPhones(
        { ...context, db: trx },
        [...created].flatMap(({ factor }) => factor ?? []),
      );
      const uids = [...created].map(({ uid }) => uid);
      await context.audit.recordEach(trx, accountEvents['account-imported'], uids);
      if (isDry) throw undone;
    }).catch((error: unknown) => {
      if (error !== undone) throw error;
    });
  }
  return checked.map((one) => {
    if (!('account' in one)) return one;
    if (present.has(usernameKey(one.account.username))) return 'existing';
    return created.has(one) ? 'created' : { refused: 'uid is that of another account' };
  });
}

function check<Part>(
  { secretBox, settings: { languages } }: ServiceContext,
  account: FileAccount & Part,
  now: Date,
  parts: readonly AccountPart<Part>[],
): Row<Part> | { readonly refused: string } {
  const uid = account.uid ?? randomUUID();
  let passwordHash: string | null = null;
  try {
    if (account.passwordHash !== undefined) passwordHash = importedHash(account.passwordHash);
  } catch (error) {
    if (!(error instanceof HashRefused)) throw error;
    return { refused: `passwordHash ${error.message}` };
  }
  const { mfa, language } = account;
  if (language !== undefined && !languages.includes(language))
    return { refused: `language must be one of ${languages.join(', ')}` };
  for (const { refusalOf } of parts) {
    const refused = refusalOf?.(account) ?? null;
    if (refused !== null) return { refused };
  }
  if (mfa === null) return { uid, account, passwordHash, factor: null };
  if (mfa.type === 'authy') {
    if (!isTextable(mfa.phone, mfa.countryCode))
      return { refused: 'mfa.phone is not a phone of the US or Great Britain that gets text messages' };
    return { uid, account, passwordHash, factor: factorRowFrom(uid, mfa, now, secretBox) };
  }
  if (mfa.sealedSecret === undefined)
    return { uid, account: { ...account, mustSetUpMfa: true }, passwordHash, factor: null };
  if (!isSealed(mfa.sealedSecret)) return { refused: 'mfa.sealedSecret is not encrypted' };
  try {
    const opened = { type: 'mfa', secret: secretBox.open(mfa.sealedSecret, uid) } as const;
    return { uid, account, passwordHash, factor: factorRowFrom(uid, opened, now, secretBox) };
  } catch {
    return {
      refused:
        'mfa.sealedSecret does not open with ENCRYPTION_KEY, or was sealed for an account of another uid',
    };
  }
}

/** @returns the written rows; the others have the uid of another account, which may be one of these. */
async function insert<Part>(
  trx: Transaction<Tables>,
  rows: readonly Row<Part>[],
  now: Date,
  parts: readonly AccountPart<Part>[],
): Promise<readonly Row<Part>[]> {
  if (rows.length === 0) return [];
  const inserted = await trx
    .insertInto('users')
    .values(
      rows.map(({ uid, account, passwordHash }) => ({
        uid,
        username: account.username,
        username_key: usernameKey(account.username),
        ...emailColumns(account.email),
        first_name: account.firstName,
        last_name: account.lastName,
        password_hash: passwordHash,
        password_changed_at: account.lastReset,
        personas: JSON.stringify(account.personas),
        must_set_up_mfa: account.mustSetUpMfa,
        language: account.language ?? null,
        created_at: account.createdAt ?? now,
        disabled_at: account.disabledAt ?? null,
        must_change_password: account.mustChangePassword ?? false,
        ...(Object.assign({}, ...parts.map((part) => part.columnsOf?.(account))) as object),
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning(['uid', 'username_key'])
    .execute();
  // Matched by uid and username: of two rows with one uid only the first is written, and must not get the methods and
  // identities of the second.
  const uids = new Map(inserted.map(({ uid, username_key }) => [username_key, uid]));
  const written = rows.filter(({ uid, account }) => uids.get(usernameKey(account.username)) === uid);
  const methods = written.flatMap(({ uid, account }) => methodRowsFrom(uid, account.methods));
  if (methods.length > 0) await trx.insertInto('login_methods').values(methods).execute();
  const factors = written.flatMap(({ factor }) => factor ?? []);
  if (factors.length > 0) await trx.insertInto('mfa_factors').values(factors).execute();
  const identities = written.flatMap(({ uid, account }) =>
    (['google', 'microsoft'] as const).flatMap((method) => {
      const identity = account.identities[method];
      return identity === undefined ? [] : { uid, method, ...identity, is_assigned: true, bound_at: now };
    }),
  );
  if (identities.length > 0) await trx.insertInto('provider_identities').values(identities).execute();
  for (const part of parts) await part.write(trx, written);
  return written;
}
