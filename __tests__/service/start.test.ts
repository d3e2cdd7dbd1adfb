/** @jest-environment node */
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { createService } from '../../service';
import { readEnvironment } from '../../service/environment';
import { openMailbox, type Mailbox } from './support/mailbox';
import { account, encryptionKey } from './support/testService';

jest.setTimeout(120_000);

const project = resolve(__dirname, '../..');
const minimal = { ISSUER: 'https://api.example.com', ALLOWED_ORIGINS: 'https://login.example.com' };

describe('the environment of the service', () => {
  it('needs an issuer and the origins; the rest has defaults', () => {
    expect(readEnvironment(minimal)).toMatchObject({
      port: 4001,
      host: '127.0.0.1',
      service: {
        database: { folder: '.local/service' },
        issuer: 'https://api.example.com',
        allowedOrigins: ['https://login.example.com'],
        trustedProxies: [],
      },
    });
  });

  it('takes what is set', () => {
    const environment = readEnvironment({
      ...minimal,
      ALLOWED_ORIGINS: 'https://login.example.com, https://suppliers.example.com:8443',
      PORT: '8080',
      DATABASE_URL: 'postgres://db/vestibule',
      ACCESS_TOKEN_SECONDS: '60',
      LOCKOUT_ATTEMPTS: '3',
      LOCKOUT_LONGEST_SECONDS: '7200',
      LOCKOUT_ATTEMPTS_PER_DAY: '10',
      LOCKOUT_PASSWORDS_PER_DAY: '50',
      LOCKOUT_CODES_PER_DAY: '15',
      PRODUCT_NAME: 'Pay & Co',
      ENCRYPTION_KEY: 'AAAA',
      SECRET_CHECKS_PER_MINUTE: '10',
      SIGN_ON_URL: 'https://sso.example.com/in',
      SHORT_LINK_URL: 'https://go.example.com',
      RESET_LINK_SECONDS: '600',
      SMTP_URL: 'smtps://vestibule:secret@mail.example.com',
      MAIL_FROM: 'Pay & Co <no-reply@example.com>',
    });
    expect(environment.port).toBe(8080);
    expect(environment.smtp).toEqual({
      url: 'smtps://vestibule:secret@mail.example.com',
      from: 'Pay & Co <no-reply@example.com>',
    });
    expect(environment.service).toMatchObject({
      allowedOrigins: ['https://login.example.com', 'https://suppliers.example.com:8443'],
      database: { url: 'postgres://db/vestibule' },
      accessTokenSeconds: 60,
      lockout: {
        attempts: 3,
        longestLockSeconds: 7200,
        attemptsPerDay: 10,
        passwordsPerDay: 50,
        codesPerDay: 15,
      },
      productName: 'Pay & Co',
      encryptionKey: 'AAAA',
      rateLimit: { secretChecksPerMinute: 10 },
    });
    expect(environment.service.links).toEqual({
      signOnUrl: 'https://sso.example.com/in',
      shortLinkUrl: 'https://go.example.com',
      resetSeconds: 600,
    });
  });

  it.each([
    ['ISSUER', undefined, 'ISSUER is not set.'],
    ['ISSUER', 'https://api.example.com/path', /^ISSUER must hold origins/],
    ['ALLOWED_ORIGINS', '*', /^ALLOWED_ORIGINS must hold origins/],
    ['ALLOWED_ORIGINS', 'https://login.example.com/', /^ALLOWED_ORIGINS must hold origins/],
    ['PORT', 'http', /^PORT must be a whole number/],
    ['ACCESS_TOKEN_SECONDS', '0', /^ACCESS_TOKEN_SECONDS must be a whole number/],
    ['SIGN_ON_URL', 'login.example.com', /^SIGN_ON_URL must be an http/],
    ['SHORT_LINK_URL', 'https://go.example.com/?x', /^SHORT_LINK_URL must be an http/],
    ['INVITATION_SECONDS', '7d', /^INVITATION_SECONDS must be a whole number/],
    ['DATABASE_URL', 'mysql://db', 'DATABASE_URL must be a postgres:// address.'],
    ['SMTP_URL', 'https://mail.example.com', /^SMTP_URL must be an address/],
    ['SMTP_URL', 'mail.example.com:25', /^SMTP_URL must be an address/],
    ['SMTP_URL', 'smtp://:secret@', /^SMTP_URL must be an address(?!.*secret@$)/],
    ['MAIL_FROM', 'no-reply', /^MAIL_FROM must be a sender/],
    ['MAIL_FROM', 'a@example.com, b@example.com', /^MAIL_FROM must be a sender/],
    ['MAIL_FROM', 'Payments, Co <no-reply@example.com>', /^MAIL_FROM must be a sender/],
    ['MAIL_FROM', undefined, 'MAIL_FROM is not set.'],
  ])('names %s when it is %s', (name, value, message) => {
    const smtp = { SMTP_URL: 'smtp://mail.example.com', MAIL_FROM: 'no-reply@example.com' };
    expect(() => readEnvironment({ ...minimal, ...smtp, [name]: value })).toThrow(message);
  });
});

describe('the service started alone', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vestibule-start-'));
  let mailbox: Mailbox;
  beforeAll(async () => {
    mailbox = await openMailbox();
  });
  afterAll(async () => {
    await mailbox.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('answers, and ends cleanly when it is told to', async () => {
    const port = await freePort();
    const service = start({
      ...minimal,
      ENCRYPTION_KEY: encryptionKey,
      PORT: String(port),
      DATA_FOLDER: folder,
    });
    await untilSaid(service, '"event":"listening"');
    const answer = await fetch(`http://127.0.0.1:${port}/auth/v1/method/nobody`);
    expect([answer.status, await answer.json()]).toEqual([200, []]);
    service.kill('SIGTERM');
    expect(await once(service, 'exit')).toEqual([0, null]);
  });

  it('mails over SMTP what it is asked for', async () => {
    const own = join(folder, 'mails');
    const { directory, close } = await createService({
      database: { folder: own },
      issuer: minimal.ISSUER,
      allowedOrigins: [minimal.ALLOWED_ORIGINS],
      encryptionKey,
      passwordHash: { memoryKib: 1024, passes: 1 },
    });
    await directory.upsertAccount(account());
    await close();
    const port = await freePort();
    const variables = {
      ENCRYPTION_KEY: encryptionKey,
      SMTP_URL: mailbox.url,
      MAIL_FROM: 'Payments <no-reply@example.com>',
    };
    const service = start({ ...minimal, ...variables, PORT: String(port), DATA_FOLDER: own });
    await untilSaid(service, '"event":"listening"');
    await fetch(`http://127.0.0.1:${port}/password-reset/v1/forgot-password`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email: 'ada@example.com' }),
    });
    const { mail } = await mailbox.nextMail();
    expect(mail.from).toEqual({ name: 'Payments', address: 'no-reply@example.com' });
    expect(mail.text).toContain('https://login.example.com/reset-password/');
    service.kill('SIGTERM');
    expect(await once(service, 'exit')).toEqual([0, null]);
  });

  it.each([
    ['what is missing', { ISSUER: minimal.ISSUER }, 'ALLOWED_ORIGINS is not set. See service/README.md.'],
    [
      'that a key is missing',
      { ...minimal, DATA_FOLDER: folder },
      'encryptionKey (ENCRYPTION_KEY) is not set.',
    ],
  ])('says %s and ends with an error', async (_what, variables, message) => {
    const service = start(variables);
    let said = '';
    service.stderr.on('data', (chunk) => (said += String(chunk)));
    expect(await once(service, 'exit')).toEqual([1, null]);
    expect(said).toContain(message);
  });
});

function start(variables: Record<string, string>): ChildProcessByStdio<null, Readable, Readable> {
  return spawn(process.execPath, ['--import', 'tsx', 'service/start.ts'], {
    cwd: project,
    env: { PATH: process.env['PATH'], ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

function untilSaid(service: ChildProcessByStdio<null, Readable, Readable>, words: string): Promise<void> {
  return new Promise((done, fail) => {
    let said = '';
    const hear = (chunk: unknown): void => {
      said += String(chunk);
      if (said.includes(words)) done();
    };
    service.stdout.on('data', hear);
    service.stderr.on('data', hear);
    service.once('exit', () => {
      fail(new Error(`The service ended: ${said}`));
    });
  });
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('No port was given.');
  return address.port;
}
