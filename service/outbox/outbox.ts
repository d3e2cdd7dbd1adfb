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

/**
 * The way out for messages. The local world shows them on a page, a deployment sends them. A rejection means that the
 * message was not taken; the call that caused it then fails.
 */
export interface Outbox {
  readonly sendTextMessage: (message: TextMessage) => Promise<void>;
  readonly sendMail: (mail: Mail) => Promise<void>;
}

/** Refuses every message: where nothing else is configured. */
export const noOutbox: Outbox = {
  sendTextMessage: () => Promise.reject(new Error('No outbox is configured for text messages.')),
  sendMail: () => Promise.reject(new Error('No outbox is configured for mails.')),
};
