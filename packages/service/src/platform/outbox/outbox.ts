/** A text message to one phone. */
export interface TextMessage {
  /** E.164, `+12025550143`. */
  readonly to: string;
  readonly text: string;
}

/** A mail to one person, in both forms. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Metadata of a message for its sender. */
export interface Delivery {
  /** The id, which is the same for every try, so that a receiver can detect duplicates. */
  readonly id: string;
  /** How long the message is useful, in seconds; `null`: without limit. */
  readonly lifeSeconds: number | null;
}

/**
 * Sends messages. A function resolves when the message was accepted. A rejection is retried, unless it is a
 * `MessageRefused`. Messages of a kind without a function are not sent.
 */
export interface Outbox {
  readonly sendTextMessage?: (message: TextMessage, delivery: Delivery) => Promise<void>;
  readonly sendMail?: (mail: Mail, delivery: Delivery) => Promise<void>;
}

/** The message is refused permanently: a retry would not help. */
export class MessageRefused extends Error {
  override readonly name = 'MessageRefused';

  /**
   * @param reason for the log and the operator: a code such as `EENVELOPE-550`. Never the text of a server's
   * response, which may quote the address.
   */
  constructor(
    readonly reason: string,
    options?: ErrorOptions,
  ) {
    super(`The message was refused: ${reason}.`, options);
  }
}

/** The message was not accepted, and is retried later. */
export class MessageDelayed extends Error {
  override readonly name = 'MessageDelayed';

  /**
   * @param reason as for `MessageRefused`.
   * @param retryAfterSeconds how long the receiver wants no retry, in seconds; 0 if it did not say.
   */
  constructor(
    readonly reason: string,
    readonly retryAfterSeconds = 0,
    options?: ErrorOptions,
  ) {
    super(`The message was not taken: ${reason}.`, options);
  }
}
