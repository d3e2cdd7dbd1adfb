import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { decodeProtectedHeader, exportJWK, generateKeyPair, SignJWT } from 'jose';
import type { Kysely } from 'kysely';
import { connect, type Database } from '../src/platform/database/connect.ts';
import type { Tables } from '../src/core/database/tables.ts';
import { createSecretBox } from '../src/platform/security/secretBox.ts';
import { resealStoredSecrets } from '../src/core/keys/sealStoredSecrets.ts';
import { createSignedTokens } from '../src/core/keys/signedTokens.ts';
import {
  addSigningKey,
  loadSigningKeys,
  publishedAheadMilliseconds,
  retireSigningKeys,
} from '../src/core/keys/signingKeys.ts';
import { newDatabase } from './support/postgres.ts';
import { recordingLogger } from './support/recordingLogger.ts';
import { sms } from './support/secondStep.ts';
import { ada, startTestService, type TestService, text } from './support/testService.ts';

const newKey = (): string => randomBytes(32).toString('base64');
const day = 86_400_000;

describe('a signing key is rotated', () => {
  let database: Database<Tables>;
  let db: Kysely<Tables>;
  let now: number;
  const box = createSecretBox(newKey());
  const log = recordingLogger();

  beforeEach(async () => {
    database = await connect<Tables>({ url: await newDatabase() }, recordingLogger().logger);
    ({ db } = database);
    now = Date.now() + 60_000;
  });
  afterEach(() => database.close());

  /** A process of the service. */
  const start = async () => {
    const keys = await loadSigningKeys(db, box, () => now, log.logger);
    const tokens = createSignedTokens({
      keys,
      issuer: 'https://api.example.com',
      now: () => now,
      accessTokenSeconds: 900,
      setupTokenSeconds: 900,
    });
    const trust = (): string => tokens.signTrust('d_1', new Date(now + 30 * day));
    return { keys, tokens, trust };
  };

  it('signs sessions although the RSA key beside it does not open, as after a reseal by an earlier release', async () => {
    const { keys } = await start();
    await loadSigningKeys(db, box, () => now, log.logger, { rsaKeys: true });
    const foreign = createSecretBox(newKey()).seal('{}', 'rsa-key');
    await db.updateTable('signing_keys').set({ rsa_key: foreign }).execute();
    const again = await loadSigningKeys(db, box, () => now, log.logger, { rsaKeys: true });
    expect(again.signer()).toMatchObject({ kid: keys.signer().kid, rsa: null });
    expect(log.entries().map(({ event }) => event)).toContain('RSA key refused: it does not open');
  });
  const kids = ({ keys }: Awaited<ReturnType<typeof start>>) => keys.publicKeys().keys.map(({ kid }) => kid);

  test('and no token of another issuer is taken, although the key signed it', async () => {
    const node = await start();
    const other = createSignedTokens({
      keys: node.keys,
      issuer: 'https://other.example.com',
      now: () => now,
      accessTokenSeconds: 900,
      setupTokenSeconds: 900,
    });
    expect(await node.tokens.readTrust(node.trust())).not.toBeNull();
    expect(await node.tokens.readTrust(other.signTrust('d_1', new Date(now + day)))).toBeNull();
  });

  test('and a device stays trusted by the token of an earlier release, which the key itself signed', async () => {
    const node = await start();
    const { kid, privateKey } = node.keys.signer();
    const former = (claims: object, typ = 'trusted-device+jwt') =>
      new SignJWT({ uid: 'u_1', ...claims })
        .setProtectedHeader({ alg: 'ES256', kid, typ })
        .setIssuer('https://api.example.com')
        .setIssuedAt(now / 1000)
        .setExpirationTime(now / 1000 + 900)
        .sign(privateKey);
    expect(await node.tokens.readTrust(await former({ jti: 'd_1' }))).toEqual({ deviceId: 'd_1', kid });
    expect(await node.tokens.readTrust(await former({ jti: 'd_1' }, 'mfa-setup+jwt'))).toBeNull();
    expect(await node.tokens.readTrust(await former({}))).toBeNull();
  });

  test('and no token authenticated with its public part is a trusted device’s', async () => {
    const node = await start();
    const [published] = node.keys.publicKeys().keys;
    const secrets = [published?.x ?? '', JSON.stringify(published)].flatMap((text) => [
      Buffer.from(text, 'base64url'),
      Buffer.from(text.padEnd(32)),
    ]);
    for (const secret of secrets) {
      const made = await new SignJWT({ jti: 'd_1', exp: now / 1000 + 900 })
        .setProtectedHeader({ alg: 'HS256' })
        .sign(secret);
      expect(await node.tokens.readTrust(made)).toBeNull();
    }
  });

  test('published before it signs, to every process; tokens of the one before stay good', async () => {
    const [one, other] = [await start(), await start()];
    expect(kids(one)).toEqual(kids(other));
    const [first] = kids(one);
    const before = one.trust();

    const added = await addSigningKey(db, box, () => now);
    now += 60_000;
    await one.keys.reload();
    await other.keys.reload();
    expect(kids(one)).toEqual([added?.kid, first]);
    expect(one.keys.signer().kid).toBe(first);

    now += publishedAheadMilliseconds;
    expect(one.keys.signer().kid).toBe(added?.kid);
    const after = one.trust();
    for (const token of [before, after]) {
      expect(await other.tokens.readTrust(token)).toMatchObject({ deviceId: 'd_1' });
    }
  });

  test('and one that was opened stays while the database is away', async () => {
    const node = await start();
    const before = kids(node);
    await db
      .updateTable('signing_keys')
      .set({ created_at: new Date(now - day) })
      .execute();
    await database.close();
    await expect(node.keys.reload()).rejects.toThrow();
    expect(kids(node)).toEqual(before);
    expect(await node.tokens.readTrust(node.trust())).not.toBeNull();
    database = await connect<Tables>({ url: await newDatabase() }, recordingLogger().logger);
  });

  test('by the calendar, once for all processes, and the one before goes when the last of its tokens are over', async () => {
    const node = await start();
    const [first] = kids(node);
    const byCalendar = () => addSigningKey(db, box, () => now, 90 * day);
    expect(await byCalendar()).toBeNull();
    now += 91 * day;
    const added = await Promise.all([byCalendar(), byCalendar(), byCalendar()]);
    expect(added.filter((one) => one !== null)).toHaveLength(1);

    const next = added.find((one) => one !== null);
    const signsFrom = next?.signsFrom.getTime() ?? 0;
    const retiredAt = async (at: number) => {
      now = at;
      await retireSigningKeys(db, () => now, 30 * day);
      await node.keys.reload();
      return !kids(node).includes(first);
    };
    now = signsFrom - 1;
    const last = node.trust();
    expect(node.keys.signer().kid).toBe(first);
    expect(await retiredAt(signsFrom)).toBe(false);
    expect(node.keys.signer().kid).toBe(next?.kid);
    expect(await retiredAt(signsFrom + day)).toBe(false);
    expect(await retiredAt(signsFrom + 30 * day - 2000)).toBe(false);
    expect(await node.tokens.readTrust(last)).toMatchObject({ deviceId: 'd_1' });
    expect(await retiredAt(signsFrom + 30 * day + 1)).toBe(true);
    expect(kids(node)).toEqual([next?.kid]);
  });

  test('but not by who can only write to the database: a key that is not encrypted is not published', async () => {
    const node = await start();
    const before = kids(node);
    const pair = await generateKeyPair('ES256', { extractable: true });
    const jwk = await exportJWK(pair.publicKey);
    const forged = (private_key: string, kid: string) => ({
      kid,
      private_key,
      public_jwk: JSON.stringify({ ...jwk, kid, alg: 'ES256', use: 'sig' }),
      created_at: new Date(now - day),
    });
    const open = JSON.stringify(await exportJWK(pair.privateKey));
    const sealed = await db.selectFrom('signing_keys').select('private_key').executeTakeFirstOrThrow();
    const rows = [forged(open, 'readable'), forged(sealed.private_key, 'copied')];
    await db.insertInto('signing_keys').values(rows).execute();
    // The public key of one that signs is stored readable next to it.
    await db
      .updateTable('signing_keys')
      .set({ public_jwk: JSON.stringify(jwk) })
      .execute();
    await node.keys.reload();
    expect(kids(node)).toEqual(before);
    const token = await new SignJWT({ uid: 'u_1', jti: 'd_1' })
      .setProtectedHeader({ alg: 'ES256', kid: 'readable', typ: 'trusted-device+jwt' })
      .setIssuer('https://api.example.com')
      .setIssuedAt(now / 1000)
      .setExpirationTime(now / 1000 + 900)
      .sign(pair.privateKey);
    expect(await node.tokens.readTrust(token)).toBeNull();
    expect(await node.tokens.readTrust(node.trust())).not.toBeNull();
    const refused = log.entries().filter(({ event }) => event.startsWith('signing key refused'));
    expect(refused.map(({ fields }) => fields['kid']).sort()).toEqual(['copied', 'readable']);
  });
});

describe('a signing key that others may have is revoked', () => {
  let one: TestService;
  let other: TestService;
  beforeEach(async () => {
    const database = { url: await newDatabase() };
    [one, other] = await Promise.all([startTestService({ database }), startTestService({ database })]);
  });
  afterEach(() => Promise.all([one.close(), other.close()]));

  const kidsOf = async ({ get }: TestService): Promise<readonly unknown[]> => {
    const { keys } = JSON.parse((await get('/.well-known/jwks.json')).text) as { keys: { kid: string }[] };
    return keys.map(({ kid }) => kid);
  };

  test('at once by every process; sessions go on, with a new key', async () => {
    const { directory } = one;
    const { uid } = await one.write({ mustSetUpMfa: true });
    const setup = text(await other.signIn(), 'mfaJWT');
    await one.write();
    const session = await other.signIn();
    const read = async (service: TestService, bearer: string) => (await service.readUser(uid, bearer)).status;
    const [key] = await directory.keys.list();
    expect(await read(other, text(session, 'token'))).toBe(200);

    await one.write({ mfa: sms });
    const trustedJWT = await directory.accounts.trustDevice(ada);
    const signs = await directory.keys.revoke(key?.kid ?? '');
    for (const service of [one, other]) {
      expect(await read(service, text(session, 'token'))).toBe(401);
      expect(await read(service, setup)).toBe(401);
      expect((await service.signIn({ trustedJWT })).body).toMatchObject({ mfaRequired: true });
    }
    // A process reads the keys twice a second.
    for (const service of [one, other]) {
      while ((await kidsOf(service))[0] === key?.kid) await pause(20);
      expect(await kidsOf(service)).toEqual([signs]);
    }
    const refreshed = await other.refresh(text(session, 'refresh'));
    expect(decodeProtectedHeader(text(refreshed, 'token')).kid).toBe(signs);
    expect(await read(one, text(refreshed, 'token'))).toBe(200);
    expect(await directory.keys.revoke('unknown')).toBeNull();
  });

  test('without another one, if it does not sign', async () => {
    const { directory } = one;
    const [key] = await directory.keys.list();
    const { kid } = await directory.keys.rotate();
    expect(await directory.keys.revoke(kid)).toBe(key?.kid);
    expect((await directory.keys.list()).map((each) => each.kid)).toEqual([key?.kid]);
  });
});

describe('the encryption key is rotated', () => {
  const [former, next] = [newKey(), newKey()];
  const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';

  test('with both keys everything opens, and after sealing again the former one can go', async () => {
    const url = await newDatabase();
    const start = (encryptionKey: string) => startTestService({ database: { url }, encryptionKey });
    const before = await start(former);
    await before.write({ mfa: { type: 'mfa', secret } });
    await before.close();
    await expect(start(next)).rejects.toThrow('does not open');

    // Every process has both keys before one seals with the next.
    await (await start(`${former},${next}`)).close();
    const during = await start(`${next}\n${former}`);
    // The service does so in the background too; after this call none is left in either case.
    await during.directory.keys.reseal();
    expect(await during.directory.keys.reseal()).toBe(0);
    await during.close();
    await expect(start(former)).rejects.toThrow('does not open');
    const after = await start(next);
    const response = await after.enterCode(await after.challenge(), await after.codeOfApp());
    expect(response.status).toBe(200);
    await after.close();
  });

  test('several processes seal again at once, and each secret once', async () => {
    const url = await newDatabase();
    const service = await startTestService({ database: { url }, encryptionKey: former });
    for (let count = 0; count < 5; count += 1) {
      await service.write({ username: `bob${count}@example.com`, mfa: { type: 'mfa', secret } });
    }
    await service.close();
    const { db, close } = await connect<Tables>({ url }, recordingLogger().logger);
    const ring = createSecretBox(`${next} ${former}`);
    await Promise.all([1, 2, 3].map(() => resealStoredSecrets(db, ring)));
    expect(await resealStoredSecrets(db, ring)).toBe(0);
    const rows = await db.selectFrom('mfa_factors').select(['uid', 'totp_secret']).execute();
    expect(rows.map(({ uid, totp_secret }) => createSecretBox(next).open(totp_secret ?? '', uid))).toEqual(
      Array.from({ length: 5 }, () => secret),
    );
    await close();
  });
});
