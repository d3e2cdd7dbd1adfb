import * as v from 'valibot';
import { anyOf } from '../platform/database/anyOf.ts';
import type { AccountPart } from '../core/directory.ts';
import { short, time } from '../directory/fileSchemas.ts';
import { passkeyTables } from './tables.ts';
import type { PasskeyRow } from './tables.ts';

/** The passkeys of an account in a file. They are not secret, because public keys cannot sign in. Binary values are base64url. */
interface FilePasskeys {
  /** The user as authenticators know it. */
  readonly userId: string;
  readonly keys: readonly {
    readonly id: string;
    /** COSE. */
    readonly publicKey: string;
    readonly counter: number;
    readonly transports: readonly string[];
    readonly isSyncable: boolean;
    readonly isSynced: boolean;
    readonly name: string;
    readonly createdAt: Date;
    readonly lastUsedAt: Date | null;
  }[];
}

/** What is added to an account in a file. */
export interface FileWithPasskeys {
  /** The passkeys, which are valid only for the same relying party. */
  readonly passkeys?: FilePasskeys;
}

const base64url = v.pipe(
  v.string('must be text'),
  v.maxLength(4096, 'must not be longer than 4096 characters'),
  v.regex(/^[\w-]+$/, 'must be base64url'),
);
const passkey = v.strictObject({
  id: base64url,
  publicKey: base64url,
  counter: v.pipe(v.number('must be a number'), v.integer(), v.minValue(0)),
  transports: v.array(v.pipe(v.string(), v.regex(/^[a-z-]+$/, 'must be a transport'))),
  isSyncable: v.boolean('must be true or false'),
  isSynced: v.boolean('must be true or false'),
  name: short,
  createdAt: time,
  lastUsedAt: v.nullable(time),
});

/** Passkeys in `accounts export` and `accounts import`. */
export const passkeysPart: AccountPart<FileWithPasskeys> = {
  help: '  passkeys      as exported, for a service with the same PASSKEYS_RP_ID; one that another account has is left out',
  schema: {
    passkeys: v.exactOptional(
      v.strictObject({
        userId: base64url,
        keys: v.pipe(v.array(passkey), v.maxLength(10, 'must not be more than 10')),
      }),
    ),
  },
  read: async (db, uids) => {
    const rows = await passkeyTables(db)
      .selectFrom('passkeys')
      .innerJoin('users', 'users.uid', 'passkeys.uid')
      .selectAll('passkeys')
      .select('user_handle')
      .where('passkeys.uid', '=', anyOf(uids))
      .orderBy('passkeys.created_at')
      .execute();
    return (uid) => {
      const own = rows.filter((row) => row.uid === uid);
      const userId = own[0]?.user_handle ?? null;
      return userId === null ? {} : { passkeys: { userId, keys: own.map(fileKeyFrom) } };
    };
  },
  columnsOf: ({ passkeys }) => ({ user_handle: passkeys?.userId ?? null }),
  write: async (trx, accounts) => {
    const rows = accounts.flatMap(({ uid, account }) =>
      (account.passkeys?.keys ?? []).map((key) => ({
        credential_id: key.id,
        uid,
        public_key: key.publicKey,
        counter: key.counter,
        transports: key.transports.join(),
        is_syncable: key.isSyncable,
        is_synced: key.isSynced,
        name: key.name,
        created_at: key.createdAt,
        last_used_at: key.lastUsedAt,
      })),
    );
    if (rows.length > 0)
      await passkeyTables(trx)
        .insertInto('passkeys')
        .values(rows)
        .onConflict((conflict) => conflict.doNothing())
        .execute();
  },
};

function fileKeyFrom(row: PasskeyRow): FilePasskeys['keys'][number] {
  return {
    id: row.credential_id,
    publicKey: row.public_key,
    counter: Number(row.counter),
    transports: row.transports === '' ? [] : row.transports.split(','),
    isSyncable: row.is_syncable,
    isSynced: row.is_synced,
    name: row.name,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  };
}
