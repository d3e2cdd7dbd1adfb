import type { Mail, Outbox, TextMessage } from '../../../service';

/** Everything that the service sent, for tests that read a phone. */
export interface RecordedOutbox {
  readonly port: Outbox;
  /** Oldest first. */
  readonly texts: () => readonly TextMessage[];
  readonly mails: () => readonly Mail[];
  /** The six digits in the newest text message; the test fails where there is none. */
  readonly newestCode: () => string;
  /** From now on messages are refused, or taken again. */
  readonly refuse: (refusing: boolean) => void;
}

export function recordingOutbox(): RecordedOutbox {
  const texts: TextMessage[] = [];
  const mails: Mail[] = [];
  let refusing = false;
  const take = <Message>(messages: Message[], message: Message): Promise<void> => {
    if (refusing) return Promise.reject(new Error('The carrier refuses +12025550143.'));
    messages.push(message);
    return Promise.resolve();
  };
  return {
    port: {
      sendTextMessage: (message) => take(texts, message),
      sendMail: (mail) => take(mails, mail),
    },
    texts: () => texts,
    mails: () => mails,
    newestCode: () => {
      const code = /\b\d{6}\b/.exec(texts.at(-1)?.text ?? '')?.[0];
      if (code === undefined) throw new Error('No code was sent.');
      return code;
    },
    refuse: (next) => {
      refusing = next;
    },
  };
}
