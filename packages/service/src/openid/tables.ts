import type { ColumnType, Kysely } from 'kysely';
import type { Tables } from '../core/database/tables.ts';

/** What is stored of a session, a code, a token, a grant or an interaction. */
export type Payload = Readonly<Record<string, unknown>>;

/** Why requests of a client were refused. */
export interface RefusedRequest {
  /** When the latest one came. */
  readonly at: Date;
  /** As the library names it, such as `token`. */
  readonly endpoint: string;
  /** The error code of OAuth. */
  readonly error: string;
  readonly reason: string;
  /** How often it came since it is in the list. */
  readonly times: number;
}

/** The tables that the OpenID provider adds. */
type OpenIdTables = {
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
  /** Without personal data. Clients of the deployment file are in no table. */
  openid_refusals: RefusedRequest & { readonly client_id: string; readonly slot: number };
};

export const openIdTables = (db: Kysely<Tables>) => db.withTables<OpenIdTables>();
