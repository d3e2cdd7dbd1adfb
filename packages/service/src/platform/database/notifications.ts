/**
 * Receives the notifications of a channel (`pg_notify`).
 *
 * @param onConnected called after each connection: notifications before it may have been missed.
 * @returns stops it.
 */
export type Listen = (
  channel: string,
  onNotification: (payload: string) => void,
  onConnected: () => void,
) => Promise<() => Promise<void>>;

/** A part of an account whose changes triggers announce. */
export interface AccountChange {
  /** Its name in the event `account-changed`, as the trigger writes it. */
  readonly what: string;
  /** Its tables; each has a `uid`. */
  readonly tables: readonly string[];
}
