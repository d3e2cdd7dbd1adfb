import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { decodeProtectedHeader } from 'jose';
import { addSigningKey, lockKeys } from '../src/core/keys/signingKeys.ts';
import type { Tables } from '../src/core/database/tables.ts';
import { machineFindings } from '../src/cli/doctor/machineChecks.ts';
import { tryService } from '../src/createService.ts';
import { connect, type Database } from '../src/platform/database/connect.ts';
import { resealStoredSecrets } from '../src/core/keys/sealStoredSecrets.ts';
import { createSecretBox } from '../src/platform/security/secretBox.ts';
import type { Finding } from '../src/platform/doctor/findings.ts';
import { settingsFrom } from '../src/core/settings/options.ts';
import { rotate } from '../src/session/rotation.ts';
import { appCode } from './support/authenticator.ts';
import { newDatabase } from './support/postgres.ts';
import { recordingLogger } from './support/recordingLogger.ts';
import { app, sms } from './support/secondStep.ts';
import {
  ada,
  issuer,
  loginOrigin,
  startTestService,
  text,
  type TestResponse,
  type TestService,
} from './support/testService.ts';
import { environmentOf, vestibule } from './support/vestibule.ts';

/** Processes of several machines on one database, each with keys of its own. */

const newKey = (): string => randomBytes(32).toString('base64');
const [former, next, foreign] = [newKey(), newKey(), newKey()];

let url: string;
let database: Database<Tables>;
let clock: number;
let services: TestService[];
beforeEach(async () => {
  url = await newDatabase();
  database = await connect<Tables>({ url }, recordingLogger().logger);
  clock = Date.now();
  services = [];
});
afterEach(async () => {
  for (const service of services) await service.close();
  await database.close();
});

const start = async (...keys: readonly string[]): Promise<TestService> => {
  const options = { database: { url }, encryptionKey: keys.join('\n'), now: () => clock };
  const service = await startTestService(options);
  services.push(service);
  return service;
};
const renew = async (service: TestService, ...keys: readonly string[]): Promise<TestService> => {
  await service.close();
  return start(...keys);
};
const kidsOf = async ({ get }: TestService): Promise<readonly string[]> =>
  (JSON.parse((await get('/.well-known/jwks.json')).text) as { keys: { kid: string }[] }).keys.map(
    ({ kid }) => kid,
  );
/** Waits for what a process says of itself. */
const until = async ({ get }: TestService, status: 'ok' | 'keys'): Promise<void> => {
  let found: unknown;
  while (found !== status) {
    await pause(20);
    found = (await get('/ready')).body['status'];
  }
};
const atFault = { error: { message: 'Something went wrong on our side.', code: 'unavailable' } };
/** A secret that no key of the processes opens. */
const sealedElsewhere = (owner: string): string => createSecretBox(foreign).seal('{}', owner);
/** Seals all secrets with the next key, as a machine of an earlier release does that has both keys. */
const resealElsewhere = () => resealStoredSecrets(database.db, createSecretBox(`${next} ${former}`));

/** Two users who sign in, refresh and set up an app, on one machine after the other. */
const useBoth = async (one: TestService, other: TestService): Promise<void> => {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    clock += 60_000;
    await from.write({ mfa: app });
    const signedIn = await to.enterCode(await from.challenge(), await from.codeOfApp());
    const refreshed = await from.refresh(text(signedIn, 'refresh'));
    const { bearer } = await from.signedIn({ username: 'bob@example.com', email: 'bob@example.com' });
    const verification = await to.verified(bearer);
    const added = await from.addApp(bearer, verification);
    const setUp = await to.validateApp(bearer, await appCode(text(added, 'code'), clock), verification);
    expect([signedIn.status, refreshed.status, added.status, setUp.status]).toEqual([200, 200, 200, 200]);
  }
  expect(await kidsOf(one)).toEqual(await kidsOf(other));
};

describe('the encryption key is rotated on two machines', () => {
  test('in the order of the documentation, under load: no call fails, and no session ends', async () => {
    let [one, other] = [await start(former), await start(former)];
    await one.write({ username: 'load@example.com', email: 'load@example.com' });
    // Users refresh all the time, at whichever machine is there.
    const refused: TestResponse[] = [];
    const underWay = new Set<Promise<TestResponse>>();
    let isOver = false;
    const users = [0, 1, 2].map(async (user) => {
      let refresh = text(await one.signIn({ username: 'load@example.com' }), 'refresh');
      for (let round = user; !isOver; round += 1) {
        const running = [one, other];
        const call = (running[round % 2] ?? one).refresh(refresh);
        underWay.add(call);
        const answer = await call;
        underWay.delete(call);
        if (answer.status === 200) refresh = text(answer, 'refresh');
        else refused.push(answer);
      }
    });
    const each = async (...keys: readonly string[]): Promise<void> => {
      const [leavingOne, leavingOther] = [one, other];
      one = other;
      await useBoth(other, other);
      await Promise.all(underWay);
      one = await renew(leavingOne, ...keys);
      other = one;
      await Promise.all(underWay);
      other = await renew(leavingOther, ...keys);
      await useBoth(one, other);
    };
    await each(former, next);
    await each(next, former);
    expect(await one.directory.keys.reseal()).toBeGreaterThan(0);
    expect(await one.directory.keys.reseal()).toBe(0);
    await each(next);
    isOver = true;
    await Promise.all(users);
    expect(refused).toEqual([]);
  });

  test('a machine that seals with the new key too early waits for the other one, which goes on', async () => {
    let other = await start(former);
    const { kid: before } = await other.directory.keys.rotate();
    const one = await start(next, former);
    const { kid } = await one.directory.keys.rotate();
    while ((await kidsOf(other)).length < 3 || (await kidsOf(one)).length < 3) await pause(20);
    expect(await kidsOf(other)).toEqual(expect.arrayContaining([kid, before]));
    await useBoth(one, other);

    const refusal =
      /^Nothing was changed: these processes do not encrypt with the first key of encryptionKey \(ENCRYPTION_KEY\): \S+ \d+\. /;
    await expect(one.directory.keys.reseal()).rejects.toThrow(refusal);
    const printed = await vestibule({ ...environmentOf(url), ENCRYPTION_KEY: `${next},${former}` }, [
      'keys',
      'reseal',
    ]);
    expect(printed).toEqual({ stdout: '', stderr: expect.stringMatching(refusal) as unknown, status: 1 });
    other = await renew(other, former, next);
    await useBoth(one, other);
    await expect(one.directory.keys.reseal()).rejects.toThrow(refusal);
    other = await renew(other, next, former);
    expect(await one.directory.keys.reseal()).toBeGreaterThan(0);
    expect(await one.directory.keys.reseal()).toBe(0);
    await useBoth(one, other);
  });

  test('no secret is sealed again by a start', async () => {
    const before = await start(former);
    await before.write({ mfa: app });
    await before.close();
    const stored = () =>
      database.db.selectFrom('mfa_factors').select('totp_secret').executeTakeFirstOrThrow();
    const { totp_secret: sealed } = await stored();
    const service = await start(next, former);
    // Its housekeeping, which starts with it, is over.
    await service.close();
    expect((await stored()).totp_secret).toBe(sealed);
  });

  test('a machine does not start without a key with which another one encrypts, nor without one that secrets need', async () => {
    const before = await start(former);
    await before.write({ mfa: app });
    await before.close();
    const one = await start(next, former);
    await expect(start(former)).rejects.toThrow(
      /^The process \S+ \d+ encrypts with a key that encryptionKey \(ENCRYPTION_KEY\) does not have\.$/,
    );
    await one.close();
    // Nothing is sealed with the new key.
    const again = await start(former);
    await again.close();
    await expect(start(next)).rejects.toThrow('does not open');
  });

  test('the database has nothing from which a key could be found', async () => {
    await start(next, former);
    const { db } = database;
    const rows = JSON.stringify([
      await db.selectFrom('processes').selectAll().execute(),
      await db.selectFrom('encryption_keys').selectAll().execute(),
    ]);
    for (const key of [former, next]) {
      const bytes = Buffer.from(key, 'base64');
      for (const form of [key, bytes.toString('base64url'), bytes.toString('hex')])
        expect(rows).not.toContain(form.slice(0, 12));
    }
  });

  test('a process that was killed counts for a minute', async () => {
    const ended = await start(former);
    const one = await start(next, former);
    await expect(one.directory.keys.reseal()).rejects.toThrow('Nothing was changed');
    await ended.close();
    await database.db
      .insertInto('processes')
      .values({ id: 'killed', name: 'machine 7', encryption_keys: ['former'], sealing_key: 'former' })
      .execute();
    await expect(one.directory.keys.reseal()).rejects.toThrow(': machine 7. Restart');
    await database.db
      .updateTable('processes')
      .set({ seen_at: new Date(Date.now() - 61_000) })
      .where('id', '=', 'killed')
      .execute();
    expect(await one.directory.keys.reseal()).toBe(1);
  });
});

describe('a process lacks the key with which all secrets were encrypted again', () => {
  let service: TestService;
  beforeEach(async () => {
    service = await start(former);
  });

  it('is not ready, and goes on signing with the keys that it has opened', async () => {
    await service.write();
    const session = await service.signIn();
    const published = await kidsOf(service);
    await resealElsewhere();
    await until(service, 'keys');
    expect(await kidsOf(service)).toEqual(published);
    const refreshed = await service.refresh(text(session, 'refresh'));
    expect(refreshed.status).toBe(200);
    const other = await start(next, former);
    expect((await other.refresh(text(refreshed, 'refresh'))).status).toBe(200);
    expect((await other.get('/mfa/v1/authy-info', { bearer: text(refreshed, 'token') })).status).toBe(404);
    expect((await other.get('/ready')).status).toBe(200);
  });

  it('refuses no token that another process has signed with a key that it cannot open: it cannot tell', async () => {
    const { uid } = await service.write();
    const session = await service.signIn();
    const other = await start(former, next);
    await resealElsewhere();
    const [kid = ''] = await kidsOf(service);
    const signs = await createSigner(kid);
    const kidOf = (answer: TestResponse) => decodeProtectedHeader(text(answer, 'token')).kid;
    let refreshed = await other.refresh(text(session, 'refresh'));
    while (kidOf(refreshed) !== signs) refreshed = await other.refresh(text(refreshed, 'refresh'));
    // Both have read that key.
    while (!service.log.entries().some(({ fields }) => fields['kid'] === signs)) await pause(20);
    const answer = await service.readUser(uid, text(refreshed, 'token'));
    expect([answer.status, answer.body]).toEqual([503, atFault]);
    expect((await other.readUser(uid, text(refreshed, 'token'))).status).toBe(200);
  });

  it('counts no attempt and uses no challenge up for a code of an app, which another process takes', async () => {
    await service.write({ mfa: app });
    const challenge = await service.challenge();
    const code = await service.codeOfApp();
    await resealElsewhere();
    const answer = await service.enterCode(challenge, code);
    expect([answer.status, answer.body]).toEqual([503, atFault]);
    expect(answer.headers.get('retry-after')).toBe('5');
    expect(service.log.entries().map(({ event }) => event)).toContain('call failed');
    const counted = await database.db.selectFrom('sign_in_attempts').select('failures').execute();
    expect(counted.map(({ failures }) => failures)).toEqual(counted.map(() => 0));
    const other = await start(next, former);
    expect((await other.enterCode(challenge, code)).status).toBe(200);
  });

  it('keeps an enrolment whose secret it cannot open', async () => {
    const { bearer } = await service.signedIn();
    const verification = await service.verified(bearer);
    const secret = text(await service.addApp(bearer, verification), 'code');
    await resealElsewhere();
    const code = await appCode(secret, clock);
    expect((await service.validateApp(bearer, code, verification)).status).toBe(503);
    const other = await start(next, former);
    expect((await other.validateApp(bearer, code, verification)).status).toBe(200);
  });

  it('leaves messages to another process', async () => {
    await service.write({ mfa: sms });
    service.outbox.treat(() => Promise.reject(new Error('The carrier is away.')));
    await service.challenge();
    await resealElsewhere();
    const waits = () =>
      database.db.selectFrom('outbox_messages').select(['attempts', 'last_error']).executeTakeFirst();
    while ((await waits())?.last_error !== 'KeyFault') {
      await pause(20);
      clock += 500;
    }
    const other = await start(next, former);
    while ((await waits()) !== undefined) {
      await pause(20);
      clock += 500;
    }
    expect(other.outbox.texts()).toHaveLength(1);
  });

  it('is ready again when its missing key is in use no longer', async () => {
    await database.db.insertInto('encryption_keys').values({ id: 'missing' }).execute();
    await until(service, 'keys');
    expect(service.log.entries().map(({ event }) => event)).toContain(
      'encryption key missing: another process encrypts with it',
    );
    await database.db.deleteFrom('encryption_keys').where('id', '=', 'missing').execute();
    await until(service, 'ok');
  });

  /** Another machine replaces the signing key. @returns the id of the one that signs now. */
  async function createSigner(kid: string): Promise<string> {
    clock += 60_000;
    // Sealed with the new encryption key from the start, because a process keeps a key that it has opened.
    const added = await addSigningKey(database.db, createSecretBox(next), () => clock);
    if (added === null) throw new Error('No signing key was added.');
    await database.db
      .updateTable('signing_keys')
      .set({ created_at: new Date(clock) })
      .where('kid', '=', added.kid)
      .execute();
    expect(kid).not.toBe(added.kid);
    return added.kid;
  }
});

describe('a signing key in the database is damaged', () => {
  const damage = (kid: string) =>
    database.db
      .updateTable('signing_keys')
      .set({ private_key: sealedElsewhere(`signing-key:${kid}`) })
      .where('kid', '=', kid)
      .execute();
  /** Makes `kid` a former key, because another key signs now. @returns the id of that key. */
  const becomesFormer = async (service: TestService, kid: string): Promise<string> => {
    const { kid: next } = await service.directory.keys.rotate();
    clock += 60_000;
    await database.db
      .updateTable('signing_keys')
      .set({ created_at: new Date(clock) })
      .where('kid', '=', next)
      .execute();
    expect(next).not.toBe(kid);
    while ((await kidsOf(service)).length < 2) await pause(20);
    return next;
  };
  const refusals = ({ log }: TestService) =>
    log.entries().filter(({ event }) => event === 'signing key refused: it does not open');

  test('if it no longer signs, every process stays ready, and only its tokens are refused', async () => {
    let service = await start(former);
    const { uid } = await service.write();
    const session = await service.signIn();
    const [kid = ''] = await kidsOf(service);
    const signs = await becomesFormer(service, kid);
    await damage(kid);
    while (refusals(service).length === 0) await pause(20);
    expect(refusals(service)[0]).toMatchObject({ level: 'error', fields: { kid } });
    expect((await service.get('/ready')).status).toBe(200);
    // This process opened the key before it was damaged.
    expect((await service.readUser(uid, text(session, 'token'))).status).toBe(200);
    expect(await kidsOf(service)).toEqual([signs, kid]);

    service = await renew(service, former);
    expect((await service.get('/ready')).status).toBe(200);
    expect(refusals(service)).toHaveLength(1);
    expect(await kidsOf(service)).toEqual([signs]);
    expect((await service.readUser(uid, text(session, 'token'))).status).toBe(401);
    const refreshed = await service.refresh(text(session, 'refresh'));
    expect((await service.readUser(uid, text(refreshed, 'token'))).status).toBe(200);
    expect(await service.directory.keys.revoke(kid)).toBe(signs);
  });

  test('if it will sign later, every process stays ready until then', async () => {
    const service = await start(former);
    const { kid } = await service.directory.keys.rotate();
    await damage(kid);
    while (refusals(service).length === 0) await pause(20);
    expect((await service.get('/ready')).status).toBe(200);
    clock += 16 * 60_000;
    await until(service, 'keys');
  });

  test('if it signs, no process is ready until it is revoked, and refused calls use nothing up', async () => {
    let service = await start(former);
    const { uid } = await service.write();
    const session = await service.signIn();
    const [kid = ''] = await kidsOf(service);
    await damage(kid);
    await until(service, 'keys');
    service = await renew(service, former);
    expect((await service.get('/ready')).body).toEqual({ status: 'keys' });
    for (const answer of [
      await service.get('/.well-known/jwks.json'),
      await service.refresh(text(session, 'refresh')),
      await service.readUser(uid, text(session, 'token')),
    ])
      expect([answer.status, answer.body]).toEqual([503, atFault]);

    const trial = { database: { url }, issuer, allowedOrigins: [loginOrigin], encryptionKey: former };
    await expect(tryService(trial)).rejects.toThrow('The signing key that signs now does not open');
    const command = await vestibule({ ...environmentOf(url), ENCRYPTION_KEY: former }, [
      'keys',
      'revoke',
      '--',
      kid,
    ]);
    expect(JSON.parse(command.stdout)).toEqual({ revoked: kid, signs: expect.any(String) as unknown });
    await until(service, 'ok');
    // Beyond the grace of a token that was exchanged.
    clock += 300_000;
    expect((await service.refresh(text(session, 'refresh'))).status).toBe(200);
  });

  test('the doctor names it, and says whether it signs', async () => {
    const service = await start(former);
    const [kid = ''] = await kidsOf(service);
    const found = async (): Promise<readonly Finding[]> => {
      const folder = mkdtempSync(path.join(tmpdir(), 'vestibule-damaged-'));
      const [address, key] = [path.join(folder, 'url'), path.join(folder, 'key')];
      writeFileSync(address, url);
      writeFileSync(key, former);
      const environment = { DATABASE_URL_FILE: address, ENCRYPTION_KEY_FILE: key };
      const findings = await machineFindings({ environment });
      rmSync(folder, { recursive: true });
      return findings.filter(({ check }) => check === 'signing keys');
    };
    expect(await found()).toMatchObject([{ outcome: 'ok' }]);
    await damage(kid);
    expect(await found()).toMatchObject([
      {
        outcome: 'wrong',
        problem: `The signing key ${kid} does not open with ENCRYPTION_KEY, and it signs now.`,
      },
    ]);
    await database.db
      .updateTable('signing_keys')
      .set({ created_at: new Date(Date.now() - 86_400_000) })
      .execute();
    await addSigningKey(database.db, createSecretBox(former), () => Date.now() - 3_600_000);
    expect(await found()).toMatchObject([
      { outcome: 'warning', problem: `The signing key ${kid} does not open with ENCRYPTION_KEY.` },
    ]);
  });
});

test('a trial start does not take the lock of the keys', async () => {
  await start(former);
  const trial = { database: { url }, issuer, allowedOrigins: [loginOrigin], encryptionKey: former };
  await database.db.transaction().execute(async (trx) => {
    await lockKeys(trx);
    expect(await tryService({ ...trial, schema: 'require' })).toMatchObject({ missing: [] });
  });
});

test('the start succeeds even if the secret of one account is damaged', async () => {
  const service = await start(former);
  await service.write({ mfa: app });
  const uid = (await service.write({ username: 'bob@example.com', email: 'bob@example.com', mfa: app })).uid;
  await database.db
    .updateTable('mfa_factors')
    .set({ totp_secret: sealedElsewhere(uid) })
    .where('uid', '=', uid)
    .execute();
  const other = await start(former);
  expect((await other.get('/ready')).status).toBe(200);
  expect((await other.enterCode(await other.challenge(), await other.codeOfApp())).status).toBe(200);
  await expect(resealStoredSecrets(database.db, createSecretBox(former))).rejects.toThrow(
    `(mfa_factors.totp_secret of ${uid})`,
  );
});

describe('a process has no signing key', () => {
  it('uses no refresh token up whose successor it cannot sign', async () => {
    const service = await start(former);
    await service.write();
    const refresh = text(await service.signIn(), 'refresh');
    const options = { database: { url }, issuer, allowedOrigins: [loginOrigin], now: () => clock };
    const unsigned = rotate(database.db, settingsFrom(options), refresh, () => {
      throw new Error('not signed');
    });
    await expect(unsigned).rejects.toThrow('not signed');
    // Beyond the grace of a token that was exchanged.
    clock += 300_000;
    expect((await service.refresh(refresh)).status).toBe(200);
  });

  it('is not ready, publishes no empty set, and uses nothing up', async () => {
    const service = await start(former);
    await service.write();
    const session = await service.signIn();
    const { id } = await service.directory.links.reset(ada, { magic: true });
    const { db } = database;
    const kept = await db.selectFrom('signing_keys').selectAll().executeTakeFirstOrThrow();
    const stored = { ...kept, public_jwk: JSON.stringify(kept.public_jwk) };
    await db.deleteFrom('signing_keys').execute();
    await db
      .insertInto('signing_keys')
      .values({ ...stored, kid: 'foreign', private_key: sealedElsewhere('signing-key:foreign') })
      .execute();
    await until(service, 'keys');
    for (const call of [
      () => service.get('/.well-known/jwks.json'),
      () => service.refresh(text(session, 'refresh')),
      () => service.exchange(id),
      () => service.signIn(),
    ]) {
      const answer = await call();
      expect([answer.status, answer.body, answer.headers.get('cache-control')]).toEqual([
        503,
        atFault,
        'no-store',
      ]);
    }
    await db.deleteFrom('signing_keys').execute();
    await db.insertInto('signing_keys').values(stored).execute();
    await until(service, 'ok');
    // Beyond the grace of a token that was exchanged.
    clock += 300_000;
    expect((await service.refresh(text(session, 'refresh'))).status).toBe(200);
    expect((await service.exchange(id)).status).toBe(200);
    const events = await db.selectFrom('audit_log').select('event').execute();
    expect(events.map(({ event }) => event)).not.toContain('refresh-reuse');
  });
});
