import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { sql } from 'kysely';
import type { Tables } from '../src/core/database/tables.ts';
import { createService, type ServiceOptions, smtpMail } from '../src/index.ts';
import { isProtected } from '../src/platform/addresses.ts';
import { connect } from '../src/platform/database/connect.ts';
import { readEnvironment } from '../src/environment.ts';
import { aStringLike } from './support/matchers.ts';
import { type Mailbox, openMailbox } from './support/mailbox.ts';
import { newDatabase } from './support/postgres.ts';
import { recordingLogger } from './support/recordingLogger.ts';
import { openTextReceiver } from './support/textReceiver.ts';
import { environmentOf, minimal, vestibule } from './support/vestibule.ts';
import { ada, account, encryptionKey } from './support/testService.ts';

describe('start', () => {
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

    it('reads all variables', () => {
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
        HASHES_AT_ONCE: '1',
        TEXT_MESSAGES_PER_HOUR: '50',
        LOG_LEVEL: 'warn',
        PRODUCT_NAME: 'Pay & Co',
        ENCRYPTION_KEY: 'AAAA',
        SECRET_CHECKS_PER_MINUTE: '10',
        CLIENT_CALLS_PER_MINUTE: '900',
        UNFINISHED_SIGN_INS_PER_MINUTE: '90',
        SIGN_ON_URL: 'https://sso.example.com/in',
        SHORT_LINK_URL: 'https://go.example.com',
        RESET_LINK_SECONDS: '600',
        SMTP_URL: 'smtps://vestibule:secret@mail.example.com',
        MAIL_FROM: 'Pay & Co <no-reply@example.com>',
      });
      expect(environment.port).toBe(8080);
      expect(environment.logLevel).toBe('warn');
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
        passwordHash: { atOnce: 1 },
        textLimits: { all: 50 },
        rateLimit: { secretChecksPerMinute: 10, clientCallsPerMinute: 900, unfinishedSignInsPerMinute: 90 },
      });
      expect(environment.service.links).toEqual({
        signOnUrl: 'https://sso.example.com/in',
        shortLinkUrl: 'https://go.example.com',
        resetSeconds: 600,
      });
    });

    const webhook = {
      TEXT_WEBHOOK_URL: 'https://texts.example.com/send',
      TEXT_WEBHOOK_SECRET: Buffer.alloc(32).toString('base64'),
    };
    const twilio = { TWILIO_ACCOUNT_SID: 'AC1', TWILIO_AUTH_TOKEN: 'token', TWILIO_FROM: '+12025550100' };

    it('configures traces, and names what is malformed', () => {
      const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example.com:4318' };
      const more = {
        OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic%20YQ==, x-team=a=b',
        OTEL_TRACES_SAMPLER_ARG: '0.05',
      };
      expect(readEnvironment(minimal).traces).toBeUndefined();
      expect(readEnvironment({ ...minimal, ...endpoint, ...more }).traces).toEqual({
        endpoint: 'https://collector.example.com:4318',
        headers: { authorization: 'Basic YQ==', 'x-team': 'a=b' },
        ratio: 0.05,
        serviceName: 'vestibule',
      });
      for (const [name, value] of [
        ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://collector.example.com'],
        ['OTEL_EXPORTER_OTLP_HEADERS', 'token=100%'],
        ['OTEL_EXPORTER_OTLP_HEADERS', 'token=%ff'],
        ['OTEL_EXPORTER_OTLP_HEADERS', 'token'],
        ['OTEL_TRACES_SAMPLER_ARG', ' '],
        ['OTEL_TRACES_SAMPLER_ARG', '2'],
      ] as const)
        expect(() => readEnvironment({ ...minimal, ...endpoint, [name]: value })).toThrow(name);
    });

    it('configures text messages by Twilio or by a webhook', () => {
      expect(readEnvironment({ ...minimal, ...webhook }).textWebhook).toEqual({
        url: 'https://texts.example.com/send',
        secret: webhook.TEXT_WEBHOOK_SECRET,
      });
      const account = { accountSid: 'AC1', authToken: 'token' };
      expect(readEnvironment({ ...minimal, ...twilio }).twilio).toEqual({
        ...account,
        sender: { from: '+12025550100' },
      });
      const service = { TWILIO_MESSAGING_SERVICE_SID: 'MG1', TWILIO_API_URL: 'https://api.ie1.twilio.com/' };
      expect(readEnvironment({ ...minimal, ...twilio, ...service }).twilio).toEqual({
        ...account,
        sender: { messagingServiceSid: 'MG1' },
        apiUrl: 'https://api.ie1.twilio.com',
      });
    });

    it.each([
      [{ ...webhook, ...twilio }, 'TWILIO_ACCOUNT_SID and TEXT_WEBHOOK_URL are both set: choose one.'],
      [
        { ...webhook, TEXT_WEBHOOK_URL: 'http://texts.example.com' },
        'TEXT_WEBHOOK_URL must be an https address',
      ],
      [{ ...webhook, TEXT_WEBHOOK_URL: 'https://me:pw@texts.example.com' }, 'without a user'],
      [{ ...webhook, TEXT_WEBHOOK_SECRET: 'short' }, 'TEXT_WEBHOOK_SECRET must be 24 to 64 bytes in base64'],
      [{ ...webhook, TEXT_WEBHOOK_SECRET: '' }, 'TEXT_WEBHOOK_SECRET is not set.'],
      [{ ...twilio, TWILIO_FROM: '' }, 'TWILIO_FROM is not set.'],
      [{ ...twilio, TWILIO_AUTH_TOKEN: '' }, 'TWILIO_AUTH_TOKEN is not set.'],
      [{ ...twilio, TWILIO_API_URL: 'http://api.twilio.com' }, 'TWILIO_API_URL must be an https address'],
    ])('does not start with %p', (variables, message) => {
      expect(() => readEnvironment({ ...minimal, ...variables })).toThrow(message);
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
      ['LOG_LEVEL', 'debug', 'LOG_LEVEL must be info, warn or error.'],
      ['UNLIMITED_NETWORKS', '203.0.113.0/33', /^UNLIMITED_NETWORKS must hold addresses or ranges/],
      ['DATABASE_URL', 'mysql://db', 'DATABASE_URL must be a postgres:// address.'],
      ['SMTP_URL', 'https://mail.example.com', /^SMTP_URL must be an address/],
      ['SMTP_URL', 'mail.example.com:25', /^SMTP_URL must be an address/],
      ['SMTP_URL', 'smtp://:secret@', /^SMTP_URL must be an address(?!.*secret@$)/],
      ['MAIL_FROM', 'no-reply', /^MAIL_FROM must be a sender/],
      ['MAIL_FROM', 'a@example.com, b@example.com', /^MAIL_FROM must be a sender/],
      ['MAIL_FROM', 'Payments, Co <no-reply@example.com>', /^MAIL_FROM must be a sender/],
      ['MAIL_FROM', undefined, 'MAIL_FROM is not set.'],
    ])('names %s in the error when it is %s', (name, value, message) => {
      const smtp = { SMTP_URL: 'smtp://mail.example.com', MAIL_FROM: 'no-reply@example.com' };
      expect(() => readEnvironment({ ...minimal, ...smtp, [name]: value })).toThrow(message);
    });
  });

  describe('the standalone service', () => {
    let mailbox: Mailbox;
    beforeAll(async () => {
      mailbox = await openMailbox();
    });
    afterAll(async () => {
      await mailbox.close();
    });

    it('starts next to a newer release that has migrated the database', async () => {
      const options = {
        database: { url: await newDatabase() },
        issuer: minimal.ISSUER,
        allowedOrigins: [minimal.ALLOWED_ORIGINS],
        encryptionKey,
      };
      await (await createService(options)).close();
      const { db, close } = await connect<Tables>(options.database, recordingLogger().logger);
      await sql`insert into kysely_migration values ('9999_newer', ${new Date().toISOString()})`.execute(db);
      await close();
      const service = await createService(options);
      await expect(service.directory.accounts.upsert(account())).resolves.toBeDefined();
      await service.close();
    });

    it('begins without any account', async () => {
      const { status, stdout } = await vestibule(environmentOf(await newDatabase()), ['accounts', 'list']);
      expect([status, stdout]).toEqual([0, '']);
    });

    it('prints the audit log by command, one JSON value a line', async () => {
      const variables = environmentOf(await newDatabase());
      const run = (...args: readonly string[]) => vestibule(variables, args);
      await run('accounts', 'create', ada, '--first-name', 'Ada', '--last-name', 'Lovelace');
      await run('keys', 'rotate');
      const all = (await run('audit', 'list', '--since', '1h')).stdout.trim().split('\n');
      expect(all.map((line) => JSON.parse(line) as unknown)).toMatchObject([
        { event: 'account-written', outcome: 'success', network: null },
        { event: 'signing-key-rotated', uid: null },
      ]);
      const own = await run('audit', 'list', '--user', ada);
      expect(own.stdout.trim()).toBe(all[0]);
      expect((await run('audit', 'list', '--event', 'sign-in')).stdout).toBe('');
      const wrong = await run('audit', 'list', '--since', 'yesterday');
      expect([wrong.status, wrong.stderr]).toEqual([
        1,
        aStringLike(/Give a time such as 2026-03-01T09:30Z, or 24h/),
      ]);
    });

    it('sends a test message by command, or says why not', async () => {
      const variables = { ...minimal, SMTP_URL: mailbox.url, MAIL_FROM: 'no-reply@example.com' };
      const sent = await vestibule({ ...variables, PRODUCT_NAME: 'Pay' }, ['outbox', 'test', ada]);
      expect([sent.status, sent.stdout]).toEqual([0, '{"accepted":"mail"}\n']);
      expect((await mailbox.nextMail()).mail.text?.trim()).toBe('This is a test message of Pay.');
      const none = await vestibule(variables, ['outbox', 'test', '+12025550143']);
      expect([none.status, none.stderr]).toEqual([1, 'No sender of text messages is configured.\n']);
      const texts = await openTextReceiver();
      texts.treat({ status: 403 });
      const webhook = { TEXT_WEBHOOK_URL: texts.url, TEXT_WEBHOOK_SECRET: encryptionKey };
      const refused = await vestibule({ ...variables, ...webhook }, ['outbox', 'test', '+12025550143']);
      expect([refused.status, refused.stderr]).toEqual([1, 'The message was refused: http-403.\n']);
      await texts.close();
    });
  });
});

describe('the protection of an address', () => {
  it.each([
    ...['http://localhost:4000', 'http://api.payments.localhost', 'http://127.0.0.1:4001'],
    ...['http://127.8.9.10', 'http://[::1]:4001', 'https://api.example.com'],
  ])('accepts https, and http on this machine: %s', (address) => {
    expect(isProtected(address)).toBe(true);
  });

  it.each([
    ...['http://api.example.com', 'http://localhost.evil.test', 'http://127.0.0.1.evil.test'],
    ...['http://evil-localhost', 'http://10.0.0.1', 'http://0.0.0.0', 'http://[::2]'],
    ...['http://user@127.evil.test', 'ftp://localhost', 'localhost'],
  ])('rejects http on another host: %s', (address) => {
    expect(isProtected(address)).toBe(false);
  });

  const login = 'https://login.example.com';
  const google = { issuer: 'https://accounts.google.com', clientId: 'g', clientSecret: 's' };
  const at = (issuerTemplate: string) => ({ issuerTemplate, clientId: 'm', clientSecret: 's' });
  const starting = (options: Partial<ServiceOptions>) =>
    createService({
      ...{
        database: { folder: null },
        encryptionKey,
        issuer: 'https://api.example.com',
        allowedOrigins: [login],
      },
      ...options,
    });

  it.each<[string, Partial<ServiceOptions>]>([
    ['ISSUER', { issuer: 'http://api.example.com' }],
    ['ALLOWED_ORIGINS', { allowedOrigins: [login, 'http://login.example.com'] }],
    ['SIGN_ON_URL', { links: { signOnUrl: 'http://login.example.com' } }],
    ['SHORT_LINK_URL', { links: { shortLinkUrl: 'http://go.example.com' } }],
    ['GOOGLE_ISSUER', { providers: { google: { ...google, issuer: 'http://id.test' }, redirectUri: login } }],
    ['PROVIDER_REDIRECT_URI', { providers: { google, redirectUri: 'http://login.example.com' } }],
    ['PROVIDER_REDIRECT_URI', { providers: { google, redirectUri: '/oauth-redirect' } }],
    [
      'MICROSOFT_ISSUER_TEMPLATE',
      { providers: { microsoft: at('http://{tenantId}.example.com'), redirectUri: login } },
    ],
  ])('prevents the start with http to another host in %s', async (variable, options) => {
    await expect(starting(options)).rejects.toThrow(
      new RegExp(`\\(${variable}\\) must be an https address. Plain http is accepted on this machine only.$`),
    );
  });

  it('needs {tenantId} in the Microsoft address', async () => {
    const microsoft = at('https://ms.example.com/common/v2.0');
    await expect(starting({ providers: { microsoft, redirectUri: login } })).rejects.toThrow(
      'must hold {tenantId}',
    );
  });
});

describe('a PostgreSQL server', () => {
  /** Version 3.0 with no parameters yet; 'SSLRequest' of the protocol. */
  const askedForTls = 80_877_103;
  const askedPlainly = 196_608;
  const fields = 'SFATAL\0C28000\0Mrefused\0\0';
  const refusal = `E\0\0\0${String.fromCharCode(fields.length + 4)}${fields}`;

  // 0.0.0.0 leads to this machine, and is not one of its loopback addresses.
  it.each([
    ['on another host gets a TLS request first', '0.0.0.0', '', askedForTls],
    ['on another host whose address turns TLS off gets none', '0.0.0.0', '?sslmode=disable', askedPlainly],
    ['on this machine gets none', '127.0.0.1', '', askedPlainly],
    [
      'on this machine gets a TLS request if its address is https',
      '127.0.0.1',
      '?sslmode=verify-full',
      askedForTls,
    ],
    ['whose host is in the query is called there', 'localhost', '?host=0.0.0.0', askedForTls],
  ])('%s, and one without is abandoned', async (_what, host, query, expected) => {
    let asked: number | undefined;
    const server = createServer((socket) => {
      socket.once('data', (data) => {
        asked = data.readUInt32BE(4);
        // Refuses TLS, or the user: both are final, so that the client does not try again.
        socket.end(asked === askedForTls ? 'N' : refusal);
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const url = `postgres://vestibule:secret@${host}:${port}/vestibule${query}`;
    await expect(connect<Tables>({ url }, recordingLogger().logger)).rejects.toThrow();
    server.close();
    expect(asked).toBe(expected);
  });
});

describe('a mail server on another host', () => {
  const mail = { to: ada, subject: 'Hello', text: 'Hello.\n', html: '<p>Hello.</p>\n' };

  it('is sent nothing without TLS, unless its address allows it', async () => {
    const mailbox = await openMailbox();
    const elsewhere = mailbox.url.replace('127.0.0.1', '0.0.0.0');
    const sendTo = (url: string) =>
      smtpMail({ url, from: 'no-reply@payments.example' }).sendMail(mail, { id: '1', lifeSeconds: null });
    await expect(sendTo(elsewhere)).rejects.toMatchObject({ reason: 'ETLS-500' });
    await sendTo(`${elsewhere}?requireTLS=false`);
    expect((await mailbox.nextMail()).mail.text?.trim()).toBe('Hello.');
    await mailbox.close();
  });
});

describe('provider environment', () => {
  const redirectUri = 'https://login.example.com/oauth-redirect';

  describe('the variables of the providers', () => {
    const providersOf = (variables: Record<string, string>) =>
      readEnvironment({ ...minimal, ...variables }).service.providers;

    it('configure no provider when there are none', () => {
      expect(providersOf({})).toBeUndefined();
      expect(providersOf({ GOOGLE_CLIENT_ID: '', PROVIDER_REDIRECT_URI: redirectUri })).toBeUndefined();
    });

    it('configure Google and Microsoft with client id and secret alone', () => {
      expect(
        providersOf({
          GOOGLE_CLIENT_ID: 'g',
          GOOGLE_CLIENT_SECRET: 'gs',
          MICROSOFT_CLIENT_ID: 'm',
          MICROSOFT_CLIENT_SECRET: 'ms',
          PROVIDER_REDIRECT_URI: redirectUri,
        }),
      ).toEqual({
        redirectUri,
        google: { issuer: 'https://accounts.google.com', clientId: 'g', clientSecret: 'gs' },
        microsoft: {
          issuerTemplate: 'https://login.microsoftonline.com/{tenantId}/v2.0',
          clientId: 'm',
          clientSecret: 'ms',
        },
      });
    });

    it('configure one of them, at another address', () => {
      const variables = {
        GOOGLE_CLIENT_ID: 'g',
        GOOGLE_CLIENT_SECRET: 's',
        PROVIDER_REDIRECT_URI: redirectUri,
      };
      const google = { issuer: 'https://id.example.com', clientId: 'g', clientSecret: 's' };
      expect(providersOf({ ...variables, GOOGLE_ISSUER: google.issuer })).toEqual({ redirectUri, google });
    });

    it.each([
      [{ GOOGLE_CLIENT_ID: 'g', PROVIDER_REDIRECT_URI: redirectUri }, 'GOOGLE_CLIENT_SECRET is not set.'],
      [
        { MICROSOFT_CLIENT_ID: 'm', PROVIDER_REDIRECT_URI: redirectUri },
        'MICROSOFT_CLIENT_SECRET is not set.',
      ],
      [{ GOOGLE_CLIENT_ID: 'g', GOOGLE_CLIENT_SECRET: 's' }, 'PROVIDER_REDIRECT_URI is not set.'],
    ])('name what is missing from %p', (variables, message) => {
      expect(() => providersOf(variables)).toThrow(message);
    });
  });
});
