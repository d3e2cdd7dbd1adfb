import type { Outbox } from './outbox';

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
