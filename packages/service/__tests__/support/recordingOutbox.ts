import { MessageRefused, type Mail, type TextMessage } from '../../src/index.ts';

/** Everything that the service sent, for tests that read a phone or a mailbox. */
export type RecordedOutbox = ReturnType<typeof recordingOutbox>;
export function recordingOutbox() {
  const texts: TextMessage[] = [];
  const mails: Mail[] = [];
  const waiting: ((mail: Mail) => void)[] = [];
  const take = (): Promise<void> => Promise.resolve();
  let treatment = take;
  return {
    port: {
      sendTextMessage: async (message: TextMessage) => {
        await treatment();
        texts.push(message);
      },
      sendMail: async (mail: Mail) => {
        await treatment();
        const reader = waiting.shift();
        if (reader === undefined) mails.push(mail);
        else reader(mail);
      },
    },
    /** Oldest first. */
    texts: (): readonly TextMessage[] => texts,
    /** The six digits in the newest text message; the test fails where there is none. */
    newestCode: () => {
      const code = /\b\d{6}\b/.exec(texts.at(-1)?.text ?? '')?.[0];
      if (code === undefined) throw new Error('No code was sent.');
      return code;
    },
    /** The next unread mail. Mails are sent after the response, so this waits until there is one. */
    nextMail: () => {
      const mail = mails.shift();
      return mail === undefined
        ? new Promise<Mail>((resolve) => waiting.push(resolve))
        : Promise.resolve(mail);
    },
    unreadMails: (): readonly Mail[] => mails,
    /** What happens to each message from now on, before it is stored; resolves or rejects like a carrier. */
    treat: (next: () => Promise<void>) => {
      treatment = next;
    },
    /** From now on messages are refused for good, or accepted again. */
    refuse: (refusing: boolean) => {
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
