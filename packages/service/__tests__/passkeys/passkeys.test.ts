import { operationsOf, readContract } from '@vestibule/contract/document';
import type { PasskeyCreationOptions, PasskeyRequestOptions } from '@vestibule/contract/schema';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readAccountFile } from '../../src/cli/accountFile.ts';
import { directoryParts } from '../../src/slots.ts';
import { openStream } from '../support/eventStreams.ts';
import { heldCall } from '../support/heldCall.ts';
import { itWith, optionsOf, parentOrigin } from '../support/extensions.ts';
import { passkeyAuthenticator, type Deviations, type Key } from '../support/passkeyAuthenticator.ts';
import {
  ada,
  describeService,
  loginOrigin,
  startTestService,
  text,
  type TestResponse,
  type TestService,
} from '../support/testService.ts';

const rpId = 'login.payments.localhost';
const supplierOrigin = 'http://suppliers.payments.localhost';
const passkeys = { rpId, origins: [loginOrigin, supplierOrigin], parentOrigins: [parentOrigin] };
const device = passkeyAuthenticator(loginOrigin);
const outcome = ({ status, body }: TestResponse) => {
  const { error } = body as { error?: { code?: string } };
  return error?.code === undefined ? status : `${status} ${error.code}`;
};

/** The calls of a page, with the authenticator above. */
function passkeyCalls(service: TestService) {
  const post = (call: string, body: object, bearer?: string) =>
    service.post(`/auth/v1/passkeys/${call}`, body, bearer === undefined ? {} : { bearer });
  const options = async <Options>(call: string, body: object, bearer?: string): Promise<Options> => {
    const response = await post(call, body, bearer);
    if (response.status !== 200) throw new Error(response.text);
    return response.body as Options;
  };
  const creation = async (bearer: string) =>
    options<PasskeyCreationOptions>(
      'add/options',
      { authVerificationToken: await service.verified(bearer) },
      bearer,
    );
  const add = async (bearer: string, deviations: Deviations = {}) => {
    const { challengeToken, publicKey } = await creation(bearer);
    const { key, credential } = device.create(publicKey, deviations);
    return { key, answer: await post('add', { challengeToken, credential }, bearer) };
  };
  const signInOptions = (username?: string) =>
    options<PasskeyRequestOptions>('sign-in/options', username === undefined ? {} : { username });
  const list = async (bearer: string) =>
    (await service.get('/auth/v1/passkeys', { bearer })).body as unknown as {
      userId: string;
      passkeys: { id: string; name: string; lastUsedAt: string | null; isSynced: boolean }[];
    };
  return {
    ...{ post, options, creation, add, signInOptions, list },
    signIn: async (key: Key, deviations: Deviations = {}, username?: string) => {
      const { challengeToken, publicKey } = await signInOptions(username);
      const credential = device.get(key, publicKey, deviations);
      return post('sign-in', { challengeToken, credential });
    },
    verify: async (bearer: string, key: Key, deviations: Deviations = {}) => {
      const { challengeToken, publicKey } = await options<PasskeyRequestOptions>(
        'verify/options',
        {},
        bearer,
      );
      return post('verify', { challengeToken, credential: device.get(key, publicKey, deviations) }, bearer);
    },
    /** A signed-in user with a passkey. */
    withPasskey: async (changes: Parameters<TestService['signedIn']>[0] = {}) => {
      const user = await service.signedIn(changes);
      return { ...user, ...(await add(user.bearer)) };
    },
  };
}

describeService(
  'passkeys',
  (service) => {
    const calls = passkeyCalls(service);
    const events = async () => {
      const found: string[] = [];
      for await (const { event, outcome: result, method } of service.directory.auditLog.read({
        username: ada,
      }))
        found.push([event, result, method].filter((part) => part !== null).join(' '));
      return found;
    };
    const grace = { username: 'grace@example.com', email: 'grace@example.com' };

    it('a passkey is added, listed, used, named and removed', async () => {
      const { bearer, uid, key, answer } = await calls.withPasskey();
      const id = key.id.toString('base64url');
      const time = new Date(service.now()).toISOString();
      const entry = { id, name: 'Passkey', createdAt: time, lastUsedAt: null, isSynced: true };
      expect(answer.body).toEqual(entry);
      const { userId, ...listed } = await calls.list(bearer);
      expect(listed).toEqual({ passkeys: [entry] });
      expect(userId).toBe(key.userHandle);
      expect([uid, ada].map((one) => Buffer.from(one).toString('base64url'))).not.toContain(userId);

      service.passSeconds(60);
      const session = await calls.signIn(key);
      const sessions = await service.get('/auth/v1/sessions', { bearer: text(session, 'token') });
      expect(sessions.body['sessions']).toMatchObject([
        { current: true, method: 'passkey' },
        { method: 'basic' },
      ]);
      const claims: unknown = JSON.parse(
        Buffer.from(text(session, 'token').split('.')[1] ?? '', 'base64url').toString(),
      );
      expect(claims).toMatchObject({ uid, method: 'basic', isMfaSetup: false });

      expect(outcome(await calls.post('rename', { id, name: ' My phone ' }, bearer))).toBe(200);
      expect((await calls.list(bearer)).passkeys).toMatchObject([
        { name: 'My phone', lastUsedAt: new Date(service.now()).toISOString() },
      ]);
      expect(outcome(await calls.post('rename', { id, name: '  ' }, bearer))).toBe('400 invalid_request');
      const removal = { id, authVerificationToken: await service.verified(bearer) };
      expect(outcome(await calls.post('remove', removal, bearer))).toBe(200);
      expect((await calls.list(bearer)).passkeys).toEqual([]);
      expect(outcome(await calls.signIn(key))).toBe('404 unknown_credential');
      expect(outcome(await calls.post('rename', { id, name: 'Gone' }, bearer))).toBe(
        '404 unknown_credential',
      );
      expect(await events()).toEqual([
        ...['account-written success', 'sign-in success basic', 'identity-check success basic'],
        ...['passkey-added success', 'sign-in success passkey', 'passkey-renamed success'],
        ...['identity-check success basic', 'passkey-removed success'],
      ]);
      const { sessions: exported } = await service.directory.accounts.exportPerson(ada);
      expect(exported).toMatchObject([{ amr: 'pwd' }, { amr: 'swk user mfa' }]);
      const activity = await service.get('/auth/v1/activity', { bearer });
      expect(activity.body['events']).toMatchObject([
        { kind: 'passkey-removed', method: null },
        { kind: 'signed-in', method: 'passkey' },
        { kind: 'passkey-added', method: null },
        { kind: 'signed-in', method: 'basic' },
      ]);
    });

    it('a passkey replaces the second step, but not a required enrolment', async () => {
      const { uid, key } = await calls.withPasskey();
      await service.write({ mfa: { type: 'mfa', secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' } });
      expect((await service.signIn()).body).toMatchObject({ mfaRequired: true });
      const { challengeToken, publicKey } = await calls.signInOptions(ada);
      const answer = await calls.post('sign-in', { challengeToken, credential: device.get(key, publicKey) });
      expect(Object.keys(answer.body).sort()).toEqual(['refresh', 'token']);

      await service.write({ mustSetUpMfa: true });
      const setUp = (await calls.signIn(key)).body;
      expect(setUp).toEqual({ mfaJWT: expect.any(String) as string, uid });
      const inSetUpMode = await service.get('/auth/v1/passkeys', { bearer: String(setUp['mfaJWT']) });
      expect(outcome(inSetUpMode)).toBe('401 unauthorized');
    });

    it('a passkey verifies the identity for two-step verification and passkeys, also turning off without the password', async () => {
      const { bearer, key } = await calls.withPasskey();
      await service.write({ mfa: { type: 'mfa', secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' } });
      const verified = async () => text(await calls.verify(bearer, key), 'authVerificationToken');
      expect(outcome(await service.addApp(bearer, await verified()))).toBe(200);
      const off = { authVerificationToken: await verified() };
      expect(outcome(await service.post('/mfa/v1/disable', off, { bearer }))).toBe(200);
      const added = await calls.post('add/options', { authVerificationToken: await verified() }, bearer);
      expect(outcome(added)).toBe(200);
      const change = {
        ...{ newPassword: 'New-secret8', confirmPassword: 'New-secret8', oldPassword: await verified() },
        username: ada,
      };
      const changed = await service.post('/password-reset/v1/password-reset-manual', change, { bearer });
      expect(changed.status).toBe(401);
    });

    it('adding and removing need a verified identity, which counts once', async () => {
      const { bearer, key } = await calls.withPasskey();
      const authVerificationToken = await service.verified(bearer);
      const start = (body: object) => calls.post('add/options', body, bearer);
      expect(outcome(await start({ authVerificationToken: 'made-up' }))).toBe('401 invalid_verification');
      const { challengeToken, publicKey } = (await start({ authVerificationToken }))
        .body as PasskeyCreationOptions;
      const { credential } = device.create(publicKey);
      expect(outcome(await calls.post('add', { challengeToken, credential }, bearer))).toBe(200);
      const removal = { id: key.id.toString('base64url'), authVerificationToken };
      expect(outcome(await calls.post('remove', removal, bearer))).toBe('401 invalid_verification');
      expect((await calls.list(bearer)).passkeys).toHaveLength(2);
    });

    it('known and unknown usernames get the same kind of options, the same each time', async () => {
      const { bearer, key } = await calls.withPasskey();
      const idsOf = async (username: string) =>
        ((await calls.signInOptions(username)).publicKey.allowCredentials ?? []).map(({ id }) => id);
      const unknown = await idsOf('nobody@example.com');
      expect(new Set(unknown).size).toBe(10);
      const lengths = new Set<number>();
      for (let one = 0; one < 30; one += 1)
        for (const id of await idsOf(`nobody${one}@example.com`))
          lengths.add(Buffer.from(id, 'base64url').length);
      // As long as those of common authenticators, so that a length does not show which are real.
      expect([...lengths].sort()).toEqual([16, 20, 32, 48, 64, 65, 80]);
      expect(await idsOf('NOBODY@example.com')).toEqual(unknown);
      const known = await idsOf(ada);
      expect(known).toHaveLength(10);
      expect(known).toContain(key.id.toString('base64url'));
      await calls.add(bearer);
      expect((await idsOf(ada)).filter((id) => known.includes(id))).toHaveLength(9);
      const shape = async (username: string) =>
        JSON.stringify((await calls.signInOptions(username)).publicKey).replace(
          /"(id|challenge)":"[^"]+"/g,
          '$1',
        );
      expect(await shape(ada)).toBe(await shape('nobody@example.com'));
      expect((await calls.signInOptions()).publicKey.allowCredentials).toEqual([]);

      // No call tells the listed ids apart.
      const decoy = { ...key, id: Buffer.from(unknown[0] ?? '', 'base64url') };
      const forger = await service.signedIn(grace);
      for (const listed of [decoy, key]) {
        const forged = {
          signsWith: { ...key, privateKey: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey },
        };
        const { challengeToken, publicKey } = await calls.creation(forger.bearer);
        const credential = device.createAgain(listed, publicKey);
        const answers = [
          await calls.signIn(listed, forged),
          await calls.signIn(listed, forged, ada),
          await calls.signIn(listed, forged, 'nobody@example.com'),
          await calls.verify(forger.bearer, listed, forged),
          await calls.post('add', { challengeToken, credential }, forger.bearer),
        ];
        expect(answers.map(outcome)).toEqual(answers.map(() => '401 passkey_refused'));
      }
    });

    it.each<[string, string | number, Deviations]>([
      ['a right response', 200, {}],
      ['a response on the supplier host', 200, { origin: supplierOrigin }],
      ['a response in a frame of the family', 200, { topOrigin: parentOrigin }],
      ['a response relayed by another site', '401 passkey_refused', { origin: 'https://login.evil.example' }],
      ['a response in a frame of a stranger', '401 passkey_refused', { topOrigin: 'https://evil.example' }],
      ['another relying party', '401 passkey_refused', { rpId: 'payments.localhost' }],
      ['another challenge', '401 passkey_refused', { challenge: 'AAAAAAAAAAAAAAAAAAAAAA' }],
      ['no user verification', '401 passkey_refused', { isVerified: false }],
      ['no user presence', '401 passkey_refused', { isPresent: false }],
      [
        'a key that says it can no longer be synced',
        '401 passkey_refused',
        { isSyncable: false, isSynced: false },
      ],
      ['the handle of another user', '401 passkey_refused', { userHandle: 'AAAA' }],
      ['no handle without a username', '401 passkey_refused', { userHandle: null }],
      ['the signature of a payment', '401 passkey_refused', { payment: {} }],
    ])('signing in with %s: %s', async (_case, expected, deviations) => {
      const { key } = await calls.withPasskey();
      expect(outcome(await calls.signIn(key, deviations))).toBe(expected);
      expect((await events()).at(-1)).toBe(`sign-in ${expected === 200 ? 'success' : 'failure'} passkey`);
    });

    it.each<[string, string | number, (publicKey: PasskeyCreationOptions['publicKey']) => Deviations]>([
      ['a right response', 200, () => ({})],
      ['a key that stays on its device', 200, () => ({ isSyncable: false, isSynced: false })],
      [
        'a response relayed by another site',
        '401 passkey_refused',
        () => ({ origin: 'https://evil.example' }),
      ],
      ['a frame of a stranger', '401 passkey_refused', () => ({ topOrigin: 'https://evil.example' })],
      ['another relying party', '401 passkey_refused', () => ({ rpId: 'evil.example' })],
      ['no user verification', '401 passkey_refused', () => ({ isVerified: false })],
      ['no user presence', '401 passkey_refused', () => ({ isPresent: false })],
      ['the signature of a payment', '401 passkey_refused', () => ({ payment: {} })],
      ['an algorithm that was not offered', '401 passkey_refused', () => ({ algorithm: -35 })],
      [
        'a forged attestation',
        '401 passkey_refused',
        () => ({
          attestation: [
            'packed',
            new Map<string, unknown>([
              ['alg', -7],
              ['sig', Buffer.alloc(70)],
            ]),
          ],
        }),
      ],
      [
        'an attestation that nobody asked for',
        '401 passkey_refused',
        () => ({
          attestation: [
            'fido-u2f',
            new Map<string, unknown>([
              ['x5c', []],
              ['sig', Buffer.alloc(70)],
            ]),
          ],
        }),
      ],
    ])('adding %s: %s', async (_case, expected, deviationsFor) => {
      const { bearer } = await service.signedIn();
      const { challengeToken, publicKey } = await calls.creation(bearer);
      const { credential } = device.create(publicKey, deviationsFor(publicKey));
      expect(outcome(await calls.post('add', { challengeToken, credential }, bearer))).toBe(expected);
      expect((await calls.list(bearer)).passkeys).toHaveLength(expected === 200 ? 1 : 0);
    });

    it('a call that was held back until its session had ended adds no passkey', async () => {
      const { bearer } = await service.signedIn();
      const { challengeToken, publicKey } = await calls.creation(bearer);
      const { credential } = device.create(publicKey);
      const send = await heldCall(service, '/auth/v1/passkeys/add', bearer, { challengeToken, credential });
      await service.directory.accounts.requireNewPassword(ada);
      expect(await send()).toBe(401);
      expect(await service.directory.passkeys.of(ada)).toEqual([]);
    });

    it('a key is registered once, for one user', async () => {
      const { bearer, key } = await calls.withPasskey();
      const other = await service.signedIn(grace);
      for (const own of [bearer, other.bearer]) {
        const { challengeToken, publicKey } = await calls.creation(own);
        const credential = device.createAgain(key, publicKey);
        expect(outcome(await calls.post('add', { challengeToken, credential }, own))).toBe(
          '401 passkey_refused',
        );
      }
      expect((await calls.list(bearer)).passkeys).toHaveLength(1);
    });

    it('a challenge counts once, within ten minutes, for its purpose, session and username', async () => {
      const { bearer, key } = await calls.withPasskey();
      const other = await service.signedIn(grace);
      const foreign = await calls.add(other.bearer);
      const signIn = (options: PasskeyRequestOptions, own = key) =>
        calls.post('sign-in', {
          challengeToken: options.challengeToken,
          credential: device.get(own, options.publicKey),
        });
      const expired = '400 challenge_expired';

      const replayed = await calls.signInOptions();
      expect(Buffer.from(replayed.publicKey.challenge, 'base64url').byteLength).toBe(32);
      expect(outcome(await signIn(replayed))).toBe(200);
      expect(outcome(await signIn(replayed))).toBe(expired);
      const failed = await calls.signInOptions();
      const { challengeToken } = failed;
      const forged = device.get(key, failed.publicKey, { signsWith: foreign.key });
      expect(outcome(await calls.post('sign-in', { challengeToken, credential: forged }))).toBe(
        '401 passkey_refused',
      );
      expect(outcome(await signIn(failed))).toBe(expired);
      const late = await calls.signInOptions();
      service.passSeconds(601);
      expect(outcome(await signIn(late))).toBe(expired);
      expect(outcome(await signIn({ ...late, challengeToken: 'made-up' }))).toBe(expired);

      const toVerify = await calls.options<PasskeyRequestOptions>('verify/options', {}, bearer);
      expect(outcome(await signIn(toVerify))).toBe(expired);
      const credential = device.get(key, toVerify.publicKey);
      const body = { challengeToken: toVerify.challengeToken, credential };
      expect(outcome(await calls.post('verify', body, other.bearer))).toBe(expired);
      const elsewhere = text(await service.signIn(), 'token');
      expect(outcome(await calls.post('verify', body, elsewhere))).toBe(expired);
      expect(outcome(await calls.post('verify', body, bearer))).toBe(200);

      expect(outcome(await signIn(await calls.signInOptions(ada), foreign.key))).toBe('401 passkey_refused');
      expect(outcome(await calls.verify(bearer, foreign.key))).toBe('401 passkey_refused');
      expect(outcome(await calls.verify(bearer, key, { payment: {} }))).toBe('401 passkey_refused');
    });

    it('a counter that does not increase reveals a copy, and the original continues to work', async () => {
      const { key } = await calls.withPasskey();
      const outcomes = [];
      for (const counter of [5, 5, 4, 0, 6]) outcomes.push(outcome(await calls.signIn(key, { counter })));
      expect(outcomes).toEqual([200, ...Array<string>(3).fill('401 passkey_refused'), 200]);
    });

    it('a disabled account has no access, and an account has at most ten passkeys', async () => {
      const { bearer, key } = await calls.withPasskey();
      for (let more = 0; more < 9; more += 1) expect(outcome((await calls.add(bearer)).answer)).toBe(200);
      const body = { authVerificationToken: await service.verified(bearer) };
      expect(outcome(await calls.post('add/options', body, bearer))).toBe('401 passkey_refused');
      await service.directory.accounts.disable(ada);
      expect(outcome(await calls.signIn(key))).toBe('401 no_access');
    });

    it('an export and import of accounts includes passkeys', async () => {
      const { key, uid } = await calls.withPasskey();
      await calls.signIn(key, { counter: 7 });
      const lines = [];
      const choice = { passwordHashes: true, sealedSecrets: true };
      for await (const one of service.directory.accounts.export(choice)) lines.push(JSON.stringify(one));
      const file = path.join(mkdtempSync(path.join(tmpdir(), 'vestibule-passkeys-')), 'accounts.jsonl');
      writeFileSync(file, lines.join('\n'));
      const exported = [];
      for await (const read of readAccountFile(file, 'jsonl', directoryParts.accountParts)) {
        if ('fault' in read) throw new Error(read.fault);
        exported.push(read.account);
      }
      await service.directory.accounts.remove(ada);
      expect(await service.directory.accounts.import(exported)).toEqual(['created']);
      expect(outcome(await calls.signIn(key, { counter: 7 }))).toBe('401 passkey_refused');
      const session = await calls.signIn(key, { counter: 8 }, ada);
      const bearer = text(session, 'token');
      expect(await calls.list(bearer)).toMatchObject({
        userId: key.userHandle,
        passkeys: [{ isSynced: true }],
      });
      expect((await service.readUser(uid, bearer)).status).toBe(200);
    });

    it('other tabs of the user learn that a passkey was added', async () => {
      const { bearer } = await service.signedIn();
      const stream = await openStream(service, bearer);
      await calls.add(bearer);
      expect(await stream.next()).toBe('event: account-changed\ndata: {"what":["passkeys"]}');
      await stream.close();
    });

    it('an administrator lists and removes passkeys', async () => {
      const { key } = await calls.withPasskey();
      const id = key.id.toString('base64url');
      expect(await service.directory.passkeys.of(ada)).toMatchObject([{ id, name: 'Passkey' }]);
      expect(await service.directory.passkeys.remove(ada, id)).toBe(true);
      expect(await service.directory.passkeys.of(ada)).toEqual([]);
      expect(await service.directory.passkeys.remove(ada, id)).toBe(false);
    });
  },
  { passkeys },
);

itWith('notices')(
  'the owner gets a notice of a new passkey; denying it removes the passkey and ends the sessions',
  async () => {
    // Its notice is written a moment later.
    let clock = Date.UTC(2026, 2, 14);
    await using service = await startTestService({
      ...optionsOf('notices'),
      passkeys,
      now: () => (clock += 1),
    });
    const calls = passkeyCalls(service);
    const { bearer, key } = await calls.withPasskey();
    const mail = await service.outbox.nextMail();
    expect(mail.subject).toBe('A passkey was added');
    const [, hash = ''] = /security-notice\/([\w-]+)/.exec(mail.text) ?? [];
    expect(outcome(await service.post(`/auth/v1/notices/${hash}`, { mine: false }))).toBe(200);
    expect(outcome(await calls.signIn(key))).toBe('404 unknown_credential');
    expect((await service.get('/auth/v1/passkeys', { bearer })).status).toBe(401);
  },
);

it('the calls of a sign-in with a passkey have the rate limit of sign-ins', () => {
  const limits = operationsOf(readContract()).map(({ id, rateLimit }) => [id, rateLimit]);
  for (const call of ['startPasskeySignIn', 'signInWithPasskey'])
    expect(limits).toContainEqual([call, 'tokens']);
});

it('a deployment without passkeys has none of the calls', async () => {
  await using service = await startTestService();
  const { bearer } = await service.signedIn();
  const answers = [
    await service.post('/auth/v1/passkeys/sign-in/options', {}),
    await service.get('/auth/v1/passkeys', { bearer }),
    await service.post('/auth/v1/passkeys/add/options', { passkeyOffer: 'made-up' }, { bearer }),
  ];
  expect(answers.map(outcome)).toEqual(Array(3).fill('404 not_found'));
});
