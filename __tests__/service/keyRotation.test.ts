/** @jest-environment node */
import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import { connect, type Database } from '../../service/database/connect';
import type { Tables } from '../../service/database/tables';
import { createSecretBox } from '../../service/security/secretBox';
import { resealStoredSecrets } from '../../service/security/sealStoredSecrets';
import { createSignedTokens } from '../../service/security/signedTokens';
import {
  addSigningKey,
  loadSigningKeys,
  publishedAheadMilliseconds,
  retireSigningKeys,
} from '../../service/security/signingKeys';
import { appCode } from './support/authenticator';
import { newDatabase } from './support/postgres';
import { recordingLogger } from './support/recordingLogger';
import { account, signIn, startTestService, text } from './support/testService';

const newKey = (): string => randomBytes(32).toString('base64');
const day = 86_400_000;

describe('a signing key is rotated', () => {
  let database: Database;
  let db: Kysely<Tables>;
  let now: number;
  const box = createSecretBox(newKey());

  beforeEach(async () => {
    database = await connect({ url: await newDatabase() }, recordingLogger().logger);
    ({ db } = database);
    now = Date.now() + 60_000;
  });
  afterEach(() => database.close());

  /** A process of the service. */
  const start = async () => {
    const keys = await loadSigningKeys(db, box, () => now);
    const tokens = createSignedTokens({
      keys,
      issuer: 'https://api.example.com',
      now: () => now,
      accessTokenSeconds: 900,
      setupTokenSeconds: 900,
    });
    const trust = (): string => tokens.signTrust('u_1', 'd_1', new Date(now + 30 * day));
    return { keys, tokens, trust };
  };
  const kids = ({ keys }: Awaited<ReturnType<typeof start>>) => keys.publicKeys().keys.map(({ kid }) => kid);

  test('published before it signs, to every process; tokens of the one before stay good', async () => {
    const [one, other] = [await start(), await start()];
    expect(kids(one)).toEqual(kids(other));
    const [first] = kids(one);
    const before = one.trust();

    const added = await addSigningKey(db, box, now);
    now += 60_000;
    await one.keys.reload();
    await other.keys.reload();
    expect(kids(one)).toEqual([added?.kid, first]);
    expect(one.keys.signer().kid).toBe(first);

    now += publishedAheadMilliseconds;
    expect(one.keys.signer().kid).toBe(added?.kid);
    const after = one.trust();
    for (const token of [before, after]) {
      expect(await other.tokens.readTrust(token)).toEqual({ uid: 'u_1', deviceId: 'd_1' });
    }
  });

  test('by the calendar, once for all processes, and the one before goes when its tokens are over', async () => {
    const node = await start();
    const [first] = kids(node);
    const byCalendar = () => addSigningKey(db, box, now, 90 * day);
    expect(await byCalendar()).toBeNull();
    now += 91 * day;
    const added = await Promise.all([byCalendar(), byCalendar(), byCalendar()]);
    expect(added.filter((one) => one !== null)).toHaveLength(1);

    await retireSigningKeys(db, now, 30 * day);
    await node.keys.reload();
    expect(kids(node)).toContain(first);
    now += 31 * day;
    await retireSigningKeys(db, now, 30 * day);
    await node.keys.reload();
    expect(kids(node)).toEqual([added.find((one) => one !== null)?.kid]);
  });
});

describe('the encryption key is rotated', () => {
  const [former, next] = [newKey(), newKey()];
  const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';

  test('with both keys everything opens, and after sealing again the former one can go', async () => {
    const url = await newDatabase();
    const start = (encryptionKey: string) => startTestService({ database: { url }, encryptionKey });
    const before = await start(former);
    await before.service.directory.upsertAccount(account({ mfa: { type: 'mfa', secret } }));
    await before.close();
    await expect(start(next)).rejects.toThrow('does not open');

    // Every process has both keys before one seals with the next.
    await (await start(`${former},${next}`)).close();
    const during = await start(`${next}\n${former}`);
    // The service does so in the background too; after this call none is left, whoever did it.
    await during.service.directory.resealSecrets();
    expect(await during.service.directory.resealSecrets()).toBe(0);
    await during.close();
    await expect(start(former)).rejects.toThrow('does not open');
    const after = await start(next);
    const answer = await after.post('/auth/v1/token', {
      username: 'ada@example.com',
      method: 'basic',
      authVerificationToken: text(await signIn(after), 'authVerificationToken'),
      mfaCode: await appCode(secret, after.now()),
    });
    expect(answer.status).toBe(200);
    await after.close();
  });

  test('several processes seal again at once, and each secret once', async () => {
    const url = await newDatabase();
    const world = await startTestService({ database: { url }, encryptionKey: former });
    for (let count = 0; count < 5; count += 1) {
      await world.service.directory.upsertAccount(
        account({ username: `bob${count}@example.com`, mfa: { type: 'mfa', secret } }),
      );
    }
    await world.close();
    const { db, close } = await connect({ url }, recordingLogger().logger);
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
