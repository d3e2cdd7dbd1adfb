import { createTransport } from 'nodemailer';
import { isLoopback } from '../addresses.ts';
import { MessageDelayed, MessageRefused, type Outbox } from './outbox.ts';

/** The mail half of an outbox. */
type MailSender = Required<Pick<Outbox, 'sendMail'>>;

/** A mail server and the sender of its mails. */
export interface SmtpOptions {
  /**
   * `smtps://user:password@host` (TLS from the start), or `smtp://…` (STARTTLS; required, except on this machine and
   * with `?requireTLS=false`).
   */
  readonly url: string;
  /** `Name <address>`, or an address alone. */
  readonly from: string;
}

/** Time limits in milliseconds. A server that does not respond must not delay the shutdown. */
const timeouts = {
  connectionTimeout: 5_000,
  greetingTimeout: 5_000,
  socketTimeout: 8_000,
  dnsTimeout: 5_000,
};

/** The mail half of an outbox, over SMTP. */
export function smtpMail({ url, from }: SmtpOptions): MailSender {
  // Parts of a mail are entered by users: they must never be read as a file name or a URL to fetch.
  const safety = { disableFileAccess: true, disableUrlAccess: true };
  // `requireTLS` in the URL takes precedence.
  const requireTLS = !isLoopback(new URL(url).hostname);
  const transport = createTransport({ ...timeouts, ...safety, requireTLS, url });
  return mailSender(transport, from);
}

/**
 * A connection to a mail server. A transporter of nodemailer can be used directly:
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
 * The mail half of an outbox. Each try of a mail has the same `Message-ID`, by which mailboxes recognise a duplicate.
 *
 * @param from sender of every mail, `Name <address>`.
 */
export function mailSender(transport: MailTransport, from: string): MailSender {
  const domain = from.slice(from.lastIndexOf('@') + 1).replace(/>$/, '');
  return {
    sendMail: async ({ to, ...mail }, { id }) => {
      // The recipient is an object, because nodemailer would split a string with a comma into two addresses.
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
 * A permanent refusal (5xx, RFC 5321 §4.2.1) of this sender, recipient or content would be repeated. An earlier
 * failure (connection, TLS, authentication) concerns the server or our settings, and can be corrected.
 */
function failureFrom(error: unknown): MessageRefused | MessageDelayed {
  const { code = 'unknown', responseCode } = (error ?? {}) as {
    readonly code?: string;
    readonly responseCode?: unknown;
  };
  const status = typeof responseCode === 'number' ? responseCode : null;
  const reason = status === null ? code : `${code}-${status}`;
  const isOfMessage = code === 'EENVELOPE' || code === 'EMESSAGE';
  // If there is no status, nodemailer itself has refused the address.
  return isOfMessage && (status === null || status >= 500)
    ? new MessageRefused(reason, { cause: error })
    : new MessageDelayed(reason, 0, { cause: error });
}
