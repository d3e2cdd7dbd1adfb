import type { ColumnType, Kysely, Selectable } from 'kysely';
import type { Tables, UsersTable } from '../core/database/tables.ts';

/** Binary values are base64url. */
interface PasskeysTable {
  credential_id: string;
  uid: string;
  /** COSE. */
  public_key: string;
  /** The counter at the last use; 0 if the authenticator does not count. It is read as a string, like `audit_log.id`. */
  counter: ColumnType<string, number, number>;
  /** The transports that the browser named, separated by commas. */
  transports: string;
  /** Whether the key may leave its authenticator, and whether it has. */
  is_syncable: boolean;
  is_synced: boolean;
  name: string;
  created_at: Date;
  last_used_at: Date | null;
}

/** The tables that passkeys add. */
type PasskeyTables = {
  passkeys: PasskeysTable;
  /** Random values of this installation. */
  service_secrets: { name: 'passkeys'; value: string };
  users: UsersTable & {
    /** The user of a passkey, as authenticators store it: random, base64url. Null until it is first needed. */
    user_handle: string | null;
  };
};

export const passkeyTables = (db: Kysely<Tables>) => db.withTables<PasskeyTables>();

export type PasskeyRow = Selectable<PasskeysTable>;
