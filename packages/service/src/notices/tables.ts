import type { Kysely } from 'kysely';
import type { ClientDetailsColumns, Tables } from '../core/database/tables.ts';

/** The tables that notices add. */
type NoticeTables = {
  /** The devices on which users have signed in, by the hash of their token: see `knowDevice.ts`. */
  known_devices: {
    token_hash: string;
    uid: string;
    used_at: Date;
  };
  /** The events that mails have asked users about, by the hash of the link. */
  notices: ClientDetailsColumns & {
    id_hash: string;
    uid: string;
    /** As in `Capability.noticeTexts`. */
    kind: string;
    session_id: string | null;
    created_at: Date;
    expires_at: Date;
    answer: 'confirmed' | 'denied' | null;
  };
};

export const noticeTables = (db: Kysely<Tables>) => db.withTables<NoticeTables>();
