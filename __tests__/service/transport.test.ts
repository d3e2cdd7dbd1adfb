/** @jest-environment node */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { createService, smtpMail, type ServiceOptions } from '../../service';
import { isProtected } from '../../service/addresses';
import { connect } from '../../service/database/connect';
import { openMailbox } from './support/mailbox';
import { recordingLogger } from './support/recordingLogger';

jest.setTimeout(60_000);

describe('plain http', () => {
  it.each([
    'http://localhost:4000',
    'http://api.payments.localhost',
    'http://127.0.0.1:4001',
    'http://127.8.9.10',
    'http://[::1]:4001',
    'https://api.example.com',
  ])('is not what makes %s unsafe', (address) => {
    expect(isProtected(address)).toBe(true);
  });

  it.each([
    'http://api.example.com',
    'http://localhost.evil.test',
    'http://127.0.0.1.evil.test',
    'http://evil-localhost',
    'http://10.0.0.1',
    'http://0.0.0.0',
    'http://[::2]',
    'http://user@127.evil.test',
    'ftp://localhost',
    'localhost',
  ])('is not accepted at %s', (address) => {
    expect(isProtected(address)).toBe(false);
  });

  const login = 'https://login.example.com';
  const google = { issuer: 'https://accounts.google.com', clientId: 'g', clientSecret: 's' };
  it.each<[string, Partial<ServiceOptions>]>([
    ['ISSUER', { issuer: 'http://api.example.com' }],
    ['ALLOWED_ORIGINS', { allowedOrigins: [login, 'http://login.example.com'] }],
    ['SIGN_ON_URL', { links: { signOnUrl: 'http://login.example.com' } }],
    ['SHORT_LINK_URL', { links: { shortLinkUrl: 'http://go.example.com' } }],
    ['GOOGLE_ISSUER', { providers: { google: { ...google, issuer: 'http://id.test' }, redirectUri: login } }],
    ['PROVIDER_REDIRECT_URI', { providers: { google, redirectUri: 'http://login.example.com' } }],
  ])('elsewhere in %s keeps the service from starting', async (variable, options) => {
    const given = { issuer: 'https://api.example.com', allowedOrigins: [login] };
    const key = randomBytes(32).toString('base64');
    const starting = createService({ database: { folder: null }, encryptionKey: key, ...given, ...options });
    await expect(starting).rejects.toThrow(
      new RegExp(`\\(${variable}\\) must be an https address. Plain http is accepted on this machine only.$`),
    );
  });
});

describe('a PostgreSQL server', () => {
  /** Version 3.0 with no parameters yet; 'SSLRequest' of the protocol. */
  const askedForTls = 80_877_103;
  const askedPlainly = 196_608;

  // 0.0.0.0 leads to this machine, and is not one of its loopback addresses.
  it.each([
    ['elsewhere is asked for TLS first', '0.0.0.0', '', askedForTls],
    ['elsewhere whose address turns TLS off is asked plainly', '0.0.0.0', '?sslmode=disable', askedPlainly],
    ['on this machine is asked plainly', '127.0.0.1', '', askedPlainly],
    [
      'on this machine is asked for TLS when its address says so',
      '127.0.0.1',
      '?sslmode=verify-full',
      askedForTls,
    ],
    ['whose host stands in the query is asked by that', 'localhost', '?host=0.0.0.0', askedForTls],
  ])('%s, and one without is given up', async (_what, host, query, expected) => {
    let asked: number | undefined;
    const server = createServer((socket) => {
      socket.once('data', (data) => {
        asked = data.readUInt32BE(4);
        // 'No' to TLS, and otherwise no answer that a client knows.
        socket.end('N');
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const url = `postgres://vestibule:secret@${host}:${port}/vestibule${query}`;
    const { db, close } = await connect({ url }, recordingLogger().logger);
    await expect(db.selectFrom('users').selectAll().execute()).rejects.toThrow();
    await close();
    server.close();
    expect(asked).toBe(expected);
  });
});

describe('a mail server elsewhere', () => {
  const mail = { to: 'ada@example.com', subject: 'Hello', text: 'Hello.\n', html: '<p>Hello.</p>\n' };

  it('is sent nothing without TLS, unless its address allows that', async () => {
    const mailbox = await openMailbox();
    const elsewhere = mailbox.url.replace('127.0.0.1', '0.0.0.0');
    const sendTo = (url: string) => smtpMail({ url, from: 'no-reply@payments.example' }).sendMail(mail);
    await expect(sendTo(elsewhere)).rejects.toThrow('STARTTLS');
    await sendTo(`${elsewhere}?requireTLS=false`);
    expect((await mailbox.nextMail()).mail.text?.trim()).toBe('Hello.');
    await mailbox.close();
  });
});
