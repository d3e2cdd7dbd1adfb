import type { ColumnType } from 'kysely';
import type { Payload } from './artifacts.ts';

declare module '../core/database/tables.ts' {
  interface Tables {
    openid_artifacts: {
      /** SHA-256 of the model and the id, hex: the ids of codes and tokens are secrets. */
      id_hash: string;
      /**
       * A model of oidc-provider, or `Connection` (an application that a session is connected to) or `Consent`.
       */
      model: string;
      /** Null for what must outlive the account, until the application has heard of the end of the session. */
      uid: string | null;
      /** No foreign key, for the same reason. */
      session_id: string | null;
      client_id: string | null;
      grant_id: string | null;
      payload: ColumnType<Payload, string, string>;
      expires_at: Date;
      consumed_at: Date | null;
    };
  }
}
