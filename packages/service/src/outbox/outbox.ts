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

/** What a sender is told of a message besides its content. */
export interface Delivery {
  /** The same at every try of a message: who takes messages can recognise one that it has already. */
  readonly id: string;
  /** For how long the message is of use, in seconds; `null` without an end. */
  readonly lifeSeconds: number | null;
}

/**
 * The way out for messages. The local environment shows them on a page, a deployment sends them. A function resolves when the
 * message was taken. A rejection is tried again, unless it is a `MessageRefused`. A function that is absent: no such
 * message is sent.
 */
export interface Outbox {
  readonly sendTextMessage?: (message: TextMessage, delivery: Delivery) => Promise<void>;
  readonly sendMail?: (mail: Mail, delivery: Delivery) => Promise<void>;
}

/** Sends nothing: where nothing else is configured. */
export const noOutbox: Outbox = {};

/** Nobody will take this message: trying again is of no use. */
export class MessageRefused extends Error {
  override readonly name = 'MessageRefused';

  /** @param reason for the log and the operator: a code such as `EENVELOPE-550`, never what a server wrote, which may quote the address. */
  constructor(
    readonly reason: string,
    options?: ErrorOptions,
  ) {
    super(`The message was refused: ${reason}.`, options);
  }
}

/** The message was not taken this time. */
export class MessageDelayed extends Error {
  override readonly name = 'MessageDelayed';

  /**
   * @param reason as for `MessageRefused`.
   * @param retryAfterSeconds how long the other side wants to be left alone; 0 where it did not say.
   */
  constructor(
    readonly reason: string,
    readonly retryAfterSeconds = 0,
    options?: ErrorOptions,
  ) {
    super(`The message was not taken: ${reason}.`, options);
  }
}
