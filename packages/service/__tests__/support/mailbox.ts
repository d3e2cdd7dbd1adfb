import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

/** A mail as a mail server received it. */
export interface DeliveredMail {
  /** What was said in the SMTP dialogue, which decides where the mail goes. */
  readonly envelope: { readonly from: string; readonly to: readonly string[] };
  readonly mail: Email;
  readonly raw: string;
}

/** A real mail server in this process, and everything that it received. */
export type Mailbox = Awaited<ReturnType<typeof openMailbox>>;

/**
 * @param options `login`: who may send, otherwise anyone; `refuse`: recipients that the server rejects; `forgetful`: it keeps the
 *   first mail, and answers that it did not; `thinksMs`: how long
 *   it takes to answer; `port`: a fixed one, for a server that comes back.
 */
export async function openMailbox(
  options: {
    readonly login?: { user: string; password: string };
    readonly refuse?: string;
    readonly forgetful?: boolean;
    readonly thinksMs?: number;
    readonly port?: number;
  } = {},
) {
  const { login, refuse } = options;
  let isForgetful = options.forgetful === true;
  const mails: DeliveredMail[] = [];
  const waiting: ((mail: DeliveredMail) => void)[] = [];
  const keep = (mail: DeliveredMail): void => {
    const reader = waiting.shift();
    if (reader === undefined) mails.push(mail);
    else reader(mail);
  };
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS', ...(login === undefined ? ['AUTH'] : [])],
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, callback) => {
      if (username === login?.user && password === login?.password) callback(null, { user: username });
      else callback(new Error('Wrong credentials.'));
    },
    onRcptTo: ({ address }, _session, callback) => {
      callback(address === refuse ? new Error('No such mailbox here.') : null);
    },
    onData: (stream, { envelope }, callback) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const raw = Buffer.concat(chunks).toString('utf8');
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        const to = envelope.rcptTo.map(({ address }) => address);
        PostalMime.parse(raw).then((mail) => {
          keep({ envelope: { from, to }, mail, raw });
          const error = Object.assign(new Error('Try again later.'), { responseCode: 451 });
          const answer = isForgetful ? error : null;
          isForgetful = false;
          setTimeout(callback, options.thinksMs ?? 0, answer);
        }, callback);
      });
    },
  });
  // A sender that is killed resets its connection. Without a listener the test run would end.
  server.on('error', () => undefined);
  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    /** The next unread mail; waits until there is one. */
    nextMail: () => {
      const mail = mails.shift();
      return mail === undefined
        ? new Promise<DeliveredMail>((resolve) => waiting.push(resolve))
        : Promise.resolve(mail);
    },
    close: () => new Promise<void>((resolve) => server.close(resolve)),
  };
}
