import { MessageRefused, type Mail, type Outbox, type TextMessage } from '../../src/index.ts';

/** Everything that the service sent, for tests that read a phone or a mailbox. */
export interface RecordedOutbox {
  readonly port: Outbox;
  /** Oldest first. */
  readonly texts: () => readonly TextMessage[];
  /** The six digits in the newest text message; the test fails where there is none. */
  readonly newestCode: () => string;
  /** The next unread mail. Mails are sent after the response, so this waits until there is one. */
  readonly nextMail: () => Promise<Mail>;
  /** Unread mails. */
  readonly unreadMails: () => readonly Mail[];
  /** What happens to each message from now on, before it is stored; resolves or rejects like a carrier. */
  readonly treat: (treatment: () => Promise<void>) => void;
  /** From now on messages are refused for good, or accepted again. */
  readonly refuse: (refusing: boolean) => void;
}

export function recordingOutbox(): RecordedOutbox {
  const texts: TextMessage[] = [];
  const mails: Mail[] = [];
  const waiting: ((mail: Mail) => void)[] = [];
  const take = (): Promise<void> => Promise.resolve();
  let treatment = take;
  return {
    port: {
      sendTextMessage: async (message) => {
        await treatment();
        texts.push(message);
      },
      sendMail: async (mail) => {
        await treatment();
        const reader = waiting.shift();
        if (reader === undefined) mails.push(mail);
        else reader(mail);
      },
    },
    texts: () => texts,
    newestCode: () => {
      const code = /\b\d{6}\b/.exec(texts.at(-1)?.text ?? '')?.[0];
      if (code === undefined) throw new Error('No code was sent.');
      return code;
    },
    nextMail: () => {
      const mail = mails.shift();
      return mail === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(mail);
    },
    unreadMails: () => mails,
    treat: (next) => {
      treatment = next;
    },
    refuse: (refusing) => {
      treatment = refusing ? () => Promise.reject(new MessageRefused('carrier')) : take;
    },
  };
}

/** The one link in a mail: its address, and the last segment of its path. */
export function linkIn({ text }: Mail): { readonly url: string; readonly id: string } {
  const [url = '', ...more] = text.match(/^https?:\/\/\S+$/gm) ?? [];
  if (url === '' || more.length > 0) throw new Error(`Not one link: ${text}`);
  return { url, id: url.slice(url.lastIndexOf('/') + 1) };
}
