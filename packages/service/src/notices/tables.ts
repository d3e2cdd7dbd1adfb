import type { ClientDetailsColumns } from '../platform/database/tables.ts';

/** The devices on which users have signed in, by the hash of their token: see `knowDevice.ts`. */
interface KnownDevicesTable {
  token_hash: string;
  uid: string;
  used_at: Date;
}

/** The events that mails have asked users about, by the hash of the link. */
interface NoticesTable extends ClientDetailsColumns {
  id_hash: string;
  uid: string;
  /** As in `Capability.noticeTexts`. */
  kind: string;
  session_id: string | null;
  created_at: Date;
  expires_at: Date;
  answer: 'confirmed' | 'denied' | null;
}

declare module '../platform/database/tables.ts' {
  interface Tables {
    known_devices: KnownDevicesTable;
    notices: NoticesTable;
  }
}
