import { createTransport } from 'nodemailer';
import { isLoopback } from '../addresses.ts';
import { MessageDelayed, MessageRefused, type Outbox } from './outbox.ts';

/** The mail half of an outbox. */
type MailSender = Required<Pick<Outbox, 'sendMail'>>;

/** A mail server and the sender of its mails. */
export interface SmtpOptions {
  /**
   * `smtps://user:password@host` (TLS from the first byte), or `smtp://…` (STARTTLS, without which nothing is sent; on
   * this machine, and with `?requireTLS=false`, where the server offers it).
   */
  readonly url: string;
  /** `Name <address>`, or an address alone. */
  readonly from: string;
}

/** A server that says nothing must not hold up the end of the service; in milliseconds. */
const patience = {
  connectionTimeout: 5_000,
  greetingTimeout: 5_000,
  socketTimeout: 8_000,
  dnsTimeout: 5_000,
};

/** The mail half of an outbox, over SMTP. */
export function smtpMail({ url, from }: SmtpOptions): MailSender {
  // What a mail says comes from people: it must never be read as the name of a file or an address to fetch.
  const safety = { disableFileAccess: true, disableUrlAccess: true };
  // What the address itself says of TLS wins.
  const requireTLS = !isLoopback(new URL(url).hostname);
  const transport = createTransport({ ...patience, ...safety, requireTLS, url });
  return mailSender(transport, from);
}

/**
 * The way to a mail server. A transporter of nodemailer is one as it stands:
 * `mailSender(createTransport('smtps://…'), 'Payments <no-reply@example.com>')`.
 */
export interface MailTransport {
  readonly sendMail: (message: {
    readonly from: string;
    readonly to: { readonly name: string; readonly address: string };
    readonly subject: string;
    readonly text: string;
    readonly html: string;
    readonly messageId: string;
  }) => Promise<unknown>;
}

/**
 * The mail half of an outbox. Each try of a mail has the same `Message-ID`, by which mailboxes recognise a copy.
 *
 * @param from sender of every mail, `Name <address>`.
 */
export function mailSender(transport: MailTransport, from: string): MailSender {
  const domain = from.slice(from.lastIndexOf('@') + 1).replace(/>$/, '');
  return {
    sendMail: async ({ to, ...mail }, { id }) => {
      // As one address: in a list that the transport takes apart, a comma would make two of it.
      const message = { ...mail, from, to: { name: '', address: to }, messageId: `<${id}@${domain}>` };
      try {
        await transport.sendMail(message);
      } catch (error) {
        throw failureFrom(error);
      }
    },
  };
}

/**
 * A server that refuses this sender, recipient or content for good (5xx, RFC 5321 §4.2.1) will do so again. What goes wrong
 * before that (the connection, TLS, the password of the account) is of the server or of our settings, and may be mended.
 */
function failureFrom(error: unknown): MessageRefused | MessageDelayed {
  const { code = 'unknown', responseCode } = (error ?? {}) as {
    readonly code?: string;
    readonly responseCode?: unknown;
  };
  const status = typeof responseCode === 'number' ? responseCode : null;
  const reason = status === null ? code : `${code}-${status}`;
  const isOfMessage = code === 'EENVELOPE' || code === 'EMESSAGE';
  // Without a status it is the library that refuses the address.
  return isOfMessage && (status === null || status >= 500)
    ? new MessageRefused(reason, { cause: error })
    : new MessageDelayed(reason, 0, { cause: error });
}
