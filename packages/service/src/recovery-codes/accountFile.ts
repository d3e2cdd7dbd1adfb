import * as v from 'valibot';
import { anyOf } from '../platform/database/anyOf.ts';
import type { AccountPart } from '../core/directory.ts';
import { time } from '../directory/fileSchemas.ts';
import { recoveryTables } from './tables.ts';

/** What is added to an account in a file. */
export interface FileWithRecoveryCodes {
  /** The unused codes. Imported only with a second step, which they replace. Absent: none. */
  readonly recoveryCodes?: {
    readonly createdAt: Date;
    /** They depend on the uid of the account (`hashOfCode`), so the file has it too. */
    readonly hashes: readonly string[];
  };
}

/** Recovery codes in `accounts export` and `accounts import`. */
export const recoveryCodesPart: AccountPart<FileWithRecoveryCodes> = {
  help: '  recoveryCodes as exported, with the uid; without a second step they are left out',
  schema: {
    recoveryCodes: v.exactOptional(
      v.strictObject({
        createdAt: time,
        hashes: v.pipe(
          v.array(v.pipe(v.string('must be text'), v.regex(/^[\da-f]{64}$/, 'must be a hash'))),
          v.maxLength(10, 'must not be more than 10'),
          v.check((list) => new Set(list).size === list.length, 'must differ'),
        ),
      }),
    ),
  },
  read: async (db, uids) => {
    const rows = await recoveryTables(db)
      .selectFrom('recovery_codes')
      .selectAll()
      .where('uid', '=', anyOf(uids))
      .execute();
    return (uid, { passwordHashes }) => {
      const own = rows.filter((row) => row.uid === uid);
      const [code] = own;
      if (!passwordHashes || code === undefined) return {};
      return {
        recoveryCodes: { createdAt: code.created_at, hashes: own.map(({ code_hash }) => code_hash) },
      };
    };
  },
  refusalOf: ({ uid, recoveryCodes }) =>
    recoveryCodes !== undefined && uid === undefined
      ? 'recoveryCodes are those of an account with a uid'
      : null,
  write: async (trx, accounts) => {
    const codes = accounts.flatMap(({ uid, account: { recoveryCodes }, factor }) =>
      recoveryCodes === undefined || factor === null
        ? []
        : recoveryCodes.hashes.map((code_hash) => ({ uid, code_hash, created_at: recoveryCodes.createdAt })),
    );
    if (codes.length > 0) await recoveryTables(trx).insertInto('recovery_codes').values(codes).execute();
  },
};
