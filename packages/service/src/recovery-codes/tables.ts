import type { Kysely } from 'kysely';
import type { Tables } from '../core/database/tables.ts';

/** The table that recovery codes add. */
type RecoveryTables = {
  /** Unused codes only: a used one is removed. */
  recovery_codes: {
    uid: string;
    /** See `hashOfCode`. */
    code_hash: string;
    created_at: Date;
  };
};

export const recoveryTables = (db: Kysely<Tables>) => db.withTables<RecoveryTables>();
