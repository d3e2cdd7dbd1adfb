import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose';
import { type Kysely, Migrator, sql } from 'kysely';
import { createService, type DatabaseOptions } from '../src/index.ts';
import { connect } from '../src/platform/database/connect.ts';
import { migrations } from '../src/slots.ts';
import type { Tables } from '../src/core/database/tables.ts';
import { createPasswords } from '../src/platform/security/passwords.ts';
import { createSecretBox } from '../src/platform/security/secretBox.ts';
import { appSecret } from './support/secondStep.ts';
import { testsAll } from './support/bothDatabases.ts';
import { emptyDatabase } from './support/postgres.ts';
import { recordingLogger } from './support/recordingLogger.ts';
import {
  ada,
  encryptionKey,
  issuer,
  loginOrigin,
  startTestService,
  type TestService,
} from './support/testService.ts';

jest.setTimeout(240_000);

describe('keys at rest', () => {
  const secret = appSecret;
  const otherKey = randomBytes(32).toString('base64');
  const sealed: unknown = expect.stringMatching(/^v1\.[\w-]{70,}$/);

  interface Opened {
    readonly database: DatabaseOptions;
    readonly remove: () => void;
  }

  const embedded = {
    name: 'the embedded database',
    // Only one process can open its folder.
    nodes: 1,
    open: (): Promise<Opened> => {
      const folder = mkdtempSync(join(tmpdir(), 'vestibule-keys-'));
      const remove = (): void => {
        rmSync(folder, { recursive: true, force: true });
      };
      return Promise.resolve({ database: { folder }, remove });
    },
  };
  const postgres = {
    name: 'PostgreSQL',
    nodes: 2,
    open: async (): Promise<Opened> => ({
      database: { url: await emptyDatabase() },
      remove: () => undefined,
    }),
  };
  const kinds = testsAll ? [embedded, postgres] : [postgres];

  describe.each(kinds)('in a copy of $name', ({ nodes, open }) => {
    let database: DatabaseOptions;
    let remove: () => void;
    beforeEach(async () => {
      ({ database, remove } = await open());
    });
    afterEach(() => {
      remove();
    });

    it('neither a usable signing key nor the secret of an app is found', async () => {
      const service = await startTestService({ database });
      await service.write();
      await service.write({ username: 'bob@example.com', mfa: { type: 'mfa', secret } });
      await service.signIn();
      await service.close();

      const [found, token] = await onCopyOf(database, async (db) => [
        await valuesIn(db),
        await forgeToken(db, service.now()),
      ]);
      expect(found).not.toContain(secret);
      expect(token).toBeNull();
    });

    it('plaintext secrets are encrypted at the next start, once, and work; a plaintext signing key is replaced', async () => {
      const former = await leaveFormerRelease(database, { totpSecret: secret });
      const start = (): Promise<TestService> => startTestService({ database });
      const [first, ...others] = await Promise.all([start(), ...Array.from({ length: nodes - 1 }, start)]);
      const services = [first, ...others];
      const published = await Promise.all(services.map((service) => service.get('/.well-known/jwks.json')));
      const signedIn = await signInByApp(first);
      await Promise.all(services.map((service) => service.close()));

      const after = await onCopyOf(database, storedSecrets);
      const [present] = published.map(({ body }) => body);
      expect(published.map(({ body }) => body)).toEqual(services.map(() => present));
      expect(present).toEqual({ keys: [expect.anything()] });
      expect(present).not.toEqual({ keys: [former.publicJwk] });
      expect(signedIn.status).toBe(200);
      expect(after).toEqual({ keys: [sealed], factors: [sealed], enrolments: [sealed] });

      await (await startTestService({ database })).close();
      expect(await onCopyOf(database, storedSecrets)).toEqual(after);
    });

    it('a plaintext secret that comes later is neither used nor encrypted, nor keeps others from it', async () => {
      const first = await startTestService({ database });
      await first.write({ mfa: { type: 'mfa', secret } });
      await first.close();
      await onCopyOf(database, (db) => db.updateTable('mfa_factors').set({ totp_secret: secret }).execute());
      const service = await startTestService({ database, encryptionKey: `${otherKey},${encryptionKey}` });
      await service.write({ username: 'bob', mfa: { type: 'mfa', secret } });
      await service.directory.keys.reseal();
      expect((await signInByApp(service)).status).toBe(503);
      await service.close();
      const { factors } = await onCopyOf(database, storedSecrets);
      expect(factors).toEqual(expect.arrayContaining([secret, sealed]));
    });

    it('with encrypted secrets the service does not start with another key or none, and they stay', async () => {
      await (await startTestService({ database })).close();
      const before = await onCopyOf(database, storedSecrets);
      const options = { database, issuer, allowedOrigins: [loginOrigin] };
      await expect(createService({ ...options, encryptionKey: otherKey })).rejects.toThrow(
        'A secret in the database does not open with encryptionKey (ENCRYPTION_KEY)',
      );
      await expect(createService(options)).rejects.toThrow(/encryptionKey \(ENCRYPTION_KEY\) is not set/);
      expect(await onCopyOf(database, storedSecrets)).toEqual(before);
      expect(before.keys).toHaveLength(1);
    });

    it('a plaintext signing key is not encrypted with another key than the existing secrets', async () => {
      const byRightKey = createSecretBox(encryptionKey).seal(secret, 'u_1');
      const { privateJwk } = await leaveFormerRelease(database, { totpSecret: byRightKey });
      await expect(startTestService({ database, encryptionKey: otherKey })).rejects.toThrow('does not open');
      // The start migrated the schema, and did no more.
      const { keys } = await onCopyOf(database, storedSecrets);
      expect(keys.map((key) => JSON.parse(key) as unknown)).toEqual([privateJwk]);
      await (await startTestService({ database })).close();
      expect(await onCopyOf(database, storedSecrets)).toMatchObject({
        keys: [sealed],
        factors: [byRightKey],
      });
    });
  });

  describe('without a key', () => {
    const options = { issuer, allowedOrigins: [loginOrigin], passwordHash: { memoryKib: 1024, passes: 1 } };

    it.each([
      ['PostgreSQL', { ...options, database: { url: 'postgres://127.0.0.1:1/never-reached' } }],
      [
        'an issuer on another host',
        { ...options, database: { folder: null }, issuer: 'https://api.example.com' },
      ],
    ])('the service does not start with %s', async (_what, given) => {
      await expect(createService(given)).rejects.toThrow(
        'encryptionKey (ENCRYPTION_KEY) is not set. Without it the service starts only with the embedded database and an issuer on this machine.',
      );
    });

    it('a copy of the embedded database can sign tokens, and the log warns that the keys are unencrypted', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'vestibule-keys-'));
      const log = recordingLogger();
      const given = { ...options, database: { folder }, logger: log.logger };
      const first = await startTestService({ ...given, withoutKey: true });
      const { uid } = await first.write();
      await first.signIn();
      await first.close();
      const token = await onCopyOf(given.database, (db) => forgeToken(db, first.now()));
      const again = await startTestService({ ...given, withoutKey: true });
      const response = await again.readUser(uid, token ?? '');
      await again.close();
      rmSync(folder, { recursive: true, force: true });

      expect(response.status).toBe(200);
      const warnings = log.entries().filter(({ level }) => level === 'warn');
      expect(warnings.map(({ event }) => event)).toEqual([
        expect.stringContaining('ENCRYPTION_KEY is not set'),
        expect.stringContaining('ENCRYPTION_KEY is not set'),
      ]);
    });
  });

  /** Opens the database during (or after) the service's run, as an attacker with a copy does. */
  async function onCopyOf<Result>(
    database: DatabaseOptions,
    work: (db: Kysely<Tables>) => Promise<Result>,
  ): Promise<Result> {
    const { db, close } = await connect(database, recordingLogger().logger);
    try {
      return await work(db);
    } finally {
      await close();
    }
  }

  /** Every value of every table as text. */
  async function valuesIn(db: Kysely<Tables>): Promise<string[]> {
    const tables = await db.introspection.getTables();
    const values: string[] = [];
    for (const { name } of tables) {
      const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(db);
      for (const row of rows) {
        for (const value of Object.values(row)) {
          values.push(typeof value === 'string' ? value : JSON.stringify(value));
        }
      }
    }
    return values;
  }

  /** The attack: a private key from the database signs a token for any session. */
  async function forgeToken(db: Kysely<Tables>, now: number): Promise<string | null> {
    const privateJwk = (await valuesIn(db)).map(jwkIn).find((jwk) => jwk?.d !== undefined);
    if (privateJwk === undefined || privateJwk === null) return null;
    const { kid } = await db.selectFrom('signing_keys').select('kid').executeTakeFirstOrThrow();
    const { id, uid } = await db.selectFrom('sessions').select(['id', 'uid']).executeTakeFirstOrThrow();
    const issuedAt = Math.floor(now / 1000);
    return new SignJWT({ uid, sid: id, username: ada, isMfaSetup: false })
      .setProtectedHeader({ alg: 'ES256', kid, typ: 'at+jwt' })
      .setIssuer(issuer)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + 3600)
      .sign(await importJWK(privateJwk, 'ES256'));
  }

  function jwkIn(value: string): JWK | null {
    try {
      const parsed: unknown = JSON.parse(value);
      return typeof parsed === 'object' && parsed !== null && 'kty' in parsed ? (parsed as JWK) : null;
    } catch {
      return null;
    }
  }

  interface StoredSecrets {
    readonly keys: readonly string[];
    readonly factors: readonly (string | null)[];
    readonly enrolments: readonly (string | null)[];
  }

  async function storedSecrets(db: Kysely<Tables>): Promise<StoredSecrets> {
    const keys = await db.selectFrom('signing_keys').select('private_key').execute();
    const factors = await db.selectFrom('mfa_factors').select('totp_secret').execute();
    const enrolments = await db.selectFrom('mfa_enrolments').select('totp_secret').execute();
    return {
      keys: keys.map(({ private_key }) => private_key),
      factors: factors.map(({ totp_secret }) => totp_secret),
      enrolments: enrolments.map(({ totp_secret }) => totp_secret),
    };
  }

  const signInByApp = async ({ challenge, codeOfApp, enterCode }: TestService) =>
    enterCode(await challenge(), await codeOfApp());

  /** A database of the previous release: its schema, a signing key, and a user with an app and an enrolment. */
  async function leaveFormerRelease(
    database: DatabaseOptions,
    { totpSecret }: { readonly totpSecret: string },
  ): Promise<{ readonly privateJwk: JWK; readonly publicJwk: JWK }> {
    const pair = await generateKeyPair('ES256', { extractable: true });
    const privateJwk = await exportJWK(pair.privateKey);
    const bare = await exportJWK(pair.publicKey);
    const kid = await calculateJwkThumbprint(bare);
    const publicJwk = { ...bare, kid, alg: 'ES256', use: 'sig' };
    await onCopyOf(database, async (db) => {
      const former = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0011'));
      const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(former) } });
      expect((await migrator.migrateToLatest()).error).toBeUndefined();
      await sql`insert into signing_keys (kid, private_jwk, public_jwk)
      values (${kid}, ${JSON.stringify(privateJwk)}, ${JSON.stringify(publicJwk)})`.execute(db);
      const { hash } = createPasswords({ memoryKib: 1024, passes: 1, atOnce: 1 });
      const name = ada;
      await sql`insert into users
      (uid, username, username_key, email, first_name, last_name, password_hash, personas, must_set_up_mfa, created_at)
      values ('u_1', ${name}, ${name}, ${name}, 'Ada', '', ${await hash('Correct-horse7')}, '{}', false, now())`.execute(
        db,
      );
      await sql`insert into login_methods (uid, position, method) values ('u_1', 0, 'basic')`.execute(db);
      await sql`insert into mfa_factors (uid, type, totp_secret, activated_at)
      values ('u_1', 'mfa', ${totpSecret}, now())`.execute(db);
      await sql`insert into mfa_enrolments (id, uid, type, totp_secret, expires_at)
      values ('e_1', 'u_1', 'mfa', ${totpSecret}, '2036-01-01')`.execute(db);
    });
    return { privateJwk, publicJwk };
  }
});

describe('secret box', () => {
  const key = randomBytes(32).toString('base64');
  const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';

  describe('encrypted app secrets', () => {
    const box = createSecretBox(key);

    it('are decrypted with the same key for the same user, and differ each time', () => {
      const sealed = [box.seal(secret, 'u_1'), box.seal(secret, 'u_1')];
      expect(new Set(sealed).size).toBe(2);
      expect(sealed.map((one) => box.open(one, 'u_1'))).toEqual([secret, secret]);
      expect(
        createSecretBox(Buffer.from(key, 'base64').toString('base64url')).open(sealed[0] ?? '', 'u_1'),
      ).toBe(secret);
      expect(sealed.join()).not.toContain(secret);
    });

    it.each([
      ['for another user', (sealed: string) => box.open(sealed, 'u_2')],
      [
        'with another key',
        (sealed: string) => createSecretBox(randomBytes(32).toString('base64')).open(sealed, 'u_1'),
      ],
      ['without a key', (sealed: string) => createSecretBox(undefined).open(sealed, 'u_1')],
      [
        'after a modification',
        (sealed: string) =>
          box.open(`${sealed.slice(0, 10)}${sealed[10] === 'A' ? 'B' : 'A'}${sealed.slice(11)}`, 'u_1'),
      ],
      ['truncated', (sealed: string) => box.open(sealed.slice(0, -2), 'u_1')],
      ['if they are not encrypted', () => box.open(secret, 'u_1')],
    ])('are not decrypted %s', (_how, open) => {
      const sealed = box.seal(secret, 'u_1');
      expect(() => open(sealed)).toThrow();
    });

    it.each(['', 'short', randomBytes(16).toString('base64'), 'not base64 ! '.repeat(4)])(
      'are not encrypted with %p as the key',
      (wrong) => {
        expect(() => createSecretBox(wrong)).toThrow(
          'encryptionKey (ENCRYPTION_KEY) must be 32 bytes in base64.',
        );
      },
    );
  });
});
