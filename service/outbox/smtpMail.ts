import { createTransport } from 'nodemailer';
import { isLoopback } from '../addresses';
import type { Outbox } from './outbox';

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

/** The mail half of an outbox, over SMTP. A mail that the server does not take rejects; it is not tried again. */
export function smtpMail({ url, from }: SmtpOptions): Pick<Outbox, 'sendMail'> {
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
  }) => Promise<unknown>;
}

/**
 * The mail half of an outbox.
 *
 * @param from sender of every mail, `Name <address>`.
 */
export function mailSender(transport: MailTransport, from: string): Pick<Outbox, 'sendMail'> {
  return {
    sendMail: async ({ to, ...mail }) => {
      // As one address: in a list that the transport takes apart, a comma would make two of it.
      await transport.sendMail({ ...mail, from, to: { name: '', address: to } });
    },
  };
}
