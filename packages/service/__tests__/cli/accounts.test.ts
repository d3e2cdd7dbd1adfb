/** @jest-environment node */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { FileAccount } from '../../src/index.ts';
import { importedHash } from '../../src/platform/security/foreignHashes.ts';
import { aString } from '../support/matchers.ts';
import { newDatabase, withClient } from '../support/postgres.ts';
import { app } from '../support/secondStep.ts';
import { vestibule } from '../support/vestibule.ts';
import { ada, encryptionKey, startTestService, type TestService, text } from '../support/testService.ts';

jest.setTimeout(120_000);

const salt = 'MDEyMzQ1Njc4OWFiY2RlZg==';
const keycloak = (algorithm: string, value: string) => ({
  credentialData: JSON.stringify({ hashIterations: 1000, algorithm, additionalParameters: {} }),
  secretData: JSON.stringify({ value, salt, additionalParameters: {} }),
});

const argon2 = (costs: string): string =>
  `$argon2id$v=19$${costs}$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc`;
const bcrypt = (form: string): string => `${form}$abcdefghijklmnopqrstuuX8zcipV6ONSfjWT0WXqJwXv5opfzNmK`;

const cost = { hashLength: ['32'], memory: ['65536'], parallelism: ['1'] };

/** Of 'Correct-horse7', made by Python's hashlib and Debian's libxcrypt; the first one is of the reference implementation's tests. */
const hashes: readonly (readonly [name: string, hash: unknown, password?: string])[] = [
  ['argon2id', argon2('m=65536,t=2,p=1'), 'password'],
  ['bcrypt 2a', bcrypt('$2a$05')],
  ['bcrypt 2b', bcrypt('$2b$05')],
  ['bcrypt 2y', bcrypt('$2y$05')],
  ["Django's bcrypt", bcrypt('bcrypt$$2b$05')],
  ["Django's argon2", `argon2${argon2('m=65536,t=2,p=1')}`, 'password'],
  ["Django's PBKDF2", 'pbkdf2_sha256$1000$seasaltseasalt$pWF5Aa1EB57MpgDtgP7nfpPffJHWBS3O/4K8ycUY2WY='],
  [
    "PBKDF2 of passlib's, SHA-512",
    '$pbkdf2-sha512$1000$8PHy8/T19vf4.fr7/P3./w$CWhdv0a76sqKpKiMcIVgF.BSe2rbuEuG08vgBUWg3bzUHNhHKVSaCAzq2rj3bYVqpOnqIk1UfgVniHyqb7aNyw',
  ],
  ["PBKDF2 of passlib's, SHA-1", '$pbkdf2$1000$8PHy8/T19vf4.fr7/P3./w$kje/oI84IUVIY1QZoQh.ao0gGFo'],
  [
    'PBKDF2 in PHC form',
    '$pbkdf2-sha256$i=1000,l=32$c2Vhc2FsdHNlYXNhbHQ$pWF5Aa1EB57MpgDtgP7nfpPffJHWBS3O/4K8ycUY2WY',
  ],
  [
    "Keycloak's PBKDF2",
    keycloak(
      'pbkdf2-sha512',
      'V1V2G2hA3HQM9QSB2gblTaNc/nT4HK93o5QfU+pPR778oui0eOPWA/ZHdk1lIelCJcz1oq5eChdrw8W78ypuhQ==',
    ),
  ],
  [
    "Keycloak's PBKDF2 as text",
    JSON.stringify(
      keycloak(
        'pbkdf2-sha256',
        'cR/FMFTlU9OC0MFarX1iZ/xzeQ1aUAMVFjeH5j/z0zSFdPb73pz9wH/OEYcRhviaPTj4lMrGF3BKNzCZqspA0A==',
      ),
    ),
  ],
  [
    "Keycloak's argon2",
    {
      credentialData: JSON.stringify({
        hashIterations: 2,
        algorithm: 'argon2',
        additionalParameters: { ...cost, type: ['id'], version: ['1.3'] },
      }),
      secretData: JSON.stringify({
        value: 'CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc=',
        salt: 'c29tZXNhbHQ=',
      }),
    },
    'password',
  ],
];

const grace: FileAccount = {
  username: 'grace@example.com',
  email: 'grace@example.com',
  firstName: 'Grace',
  lastName: 'Hopper',
  methods: [{ method: 'basic' }],
  personas: { ledger: [{ applicationUrl: 'http://ledger.payments.localhost/' }] },
  mustSetUpMfa: false,
  mfa: null,
  identities: {},
  lastReset: null,
};

const variablesOf = (url: string): Record<string, string> => ({
  ISSUER: 'https://api.example.com',
  ALLOWED_ORIGINS: 'https://login.example.com',
  DATABASE_URL: url,
  ENCRYPTION_KEY: encryptionKey,
});

describe('accounts of another system', () => {
  let service: TestService;
  let url: string;

  beforeAll(async () => {
    url = await newDatabase();
    service = await startTestService({ database: { url } });
  });
  afterAll(() => service.close());
  beforeEach(() => service.directory.resetAll());

  const storedHash = async (username: string): Promise<unknown> => {
    const { rows } = await withClient(url, (client) =>
      client.query<{ password_hash: string }>('select password_hash from users where username = $1', [
        username,
      ]),
    );
    return rows[0]?.password_hash;
  };
  const events = async (): Promise<readonly string[]> =>
    (await collected(service.directory.auditLog.read())).map(({ event }) => event);
  const imported = (...accounts: readonly FileAccount[]) => service.directory.accounts.import(accounts);

  it.each(hashes.map(([name, hash, password = 'Correct-horse7']) => ({ name, hash, password })))(
    'sign in with a hash of $name, which is replaced by one of the service',
    async ({ hash: passwordHash, password }) => {
      const credentials = { username: grace.username, password };
      expect(await imported({ ...grace, passwordHash })).toEqual(['created']);
      const before = await storedHash(grace.username);
      expect((await service.signIn({ ...credentials, password: 'Wrong-horse7' })).status).toBe(401);
      expect(await storedHash(grace.username)).toBe(before);
      expect((await service.signIn(credentials)).status).toBe(200);
      expect(await storedHash(grace.username)).toMatch(/^\$argon2id\$v=19\$m=1024,t=1,p=1\$/);
      expect((await service.signIn(credentials)).status).toBe(200);
      expect(await events()).toEqual([
        'account-imported',
        'sign-in',
        'password-rehashed',
        'sign-in',
        'sign-in',
      ]);
    },
  );

  it('sign in twice at once', async () => {
    await imported({ ...grace, passwordHash: hashes[1]?.[1] });
    // An attempt counts until it has succeeded: a sixth at the same time as five would be refused.
    const tries = Array.from({ length: 5 }, () => service.signIn({ username: grace.username }));
    expect((await Promise.all(tries)).map(({ status }) => status)).toEqual(Array(5).fill(200));
    expect((await events()).filter((event) => event === 'password-rehashed')).toHaveLength(1);
  });

  it.each([
    ['$1$salt$hash', 'is of no form that is known: argon2, bcrypt or PBKDF2'],
    ['5f4dcc3b5aa765d61d8327deb882cf99', 'is of no form that is known: argon2, bcrypt or PBKDF2'],
    [bcrypt('$2x$05'), 'is not a complete hash of bcrypt'],
    [bcrypt('$2b$15'), 'costs too much: of bcrypt at most 14'],
    [bcrypt('$2b$03'), 'has no valid cost of bcrypt'],
    [argon2('m=4194304,t=1,p=1'), 'costs too much'],
    [argon2('m=65536,t=999,p=1'), 'costs too much'],
    [argon2('m=65536,t=1,p=200'), 'costs too much'],
    [
      '$argon2id$v=19$m=65536,t=1,p=1$c29tZXNhbHR$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc',
      'has a salt of argon2',
    ],
    ['$argon2id$v=19$m=65536,t=1,p=1$c29tZXNhbHQ', 'is not a complete hash of argon2'],
    [`pbkdf2_sha256$90000000$seasaltseasalt$${Buffer.alloc(32).toString('base64')}`, 'costs too much'],
    [`pbkdf2_sha256$4000000$seasaltseasalt$${Buffer.alloc(64).toString('base64')}`, 'costs too much'],
    [`pbkdf2_sha256$1000$seasaltseasalt$${Buffer.alloc(8).toString('base64')}`, 'has an output of PBKDF2'],
    ['{"secretData":"{}","credentialData":"{}"}', 'is no credential of Keycloak'],
    [7, 'is no text'],
    ['x'.repeat(3000), 'is too long'],
  ])('are refused with %j as their hash, which is not repeated', (hash, message) => {
    expect(() => importedHash(hash)).toThrow(message);
  });

  it.each([
    ['sha1', 5_200_000, 20],
    ['sha256', 5_000_000, 32],
    ['sha512', 1_500_000, 64],
  ])('are taken with the most that a hash of PBKDF2 with %s may cost', (digest, iterations, bytes) => {
    const costing = (count: number): string =>
      importedHash(`pbkdf2_${digest}$${count}$seasaltseasalt$${Buffer.alloc(bytes).toString('base64')}`);
    expect(costing(iterations)).toContain(`$i=${iterations}$`);
    expect(() => costing(iterations + 1)).toThrow(`with ${digest} at most ${iterations} iterations`);
  });

  it.each([
    ['pbkdf2', 'sha1', 1_300_000],
    ['pbkdf2-sha256', 'sha256', 600_000],
    ['pbkdf2-sha512', 'sha512', 210_000],
  ])('are taken with what %s costs by default in Keycloak', (algorithm, digest, hashIterations) => {
    const value = Buffer.alloc(64).toString('base64');
    const given = {
      credentialData: JSON.stringify({ algorithm, hashIterations, additionalParameters: {} }),
      secretData: JSON.stringify({ value, salt: Buffer.alloc(16).toString('base64') }),
    };
    expect(importedHash(given)).toContain(`$pbkdf2-${digest}$i=${hashIterations}$`);
  });

  it('stay as they are when the file is imported again', async () => {
    const passwordHash = hashes[2]?.[1];
    await imported({ ...grace, passwordHash });
    await service.signIn({ username: grace.username });
    const own = await storedHash(grace.username);
    expect(await imported({ ...grace, firstName: 'Amazing', passwordHash })).toEqual(['existing']);
    expect(await storedHash(grace.username)).toBe(own);
    expect((await service.directory.accounts.find(grace.username))?.firstName).toBe('Grace');
  });

  it('are not written by a dry run, nor with the uid of another account', async () => {
    const { directory } = service;
    expect(await directory.accounts.import([grace], { isDry: true })).toEqual(['created']);
    expect(await directory.accounts.find(grace.username)).toBeNull();
    expect(await events()).toEqual([]);
    const { uid } = await service.write();
    expect(await imported({ ...grace, uid })).toEqual([{ refused: 'uid is that of another account' }]);
  });

  it.each(['google', 'basic'] as const)(
    'give nothing to an account of the same uid that is written with them: %s',
    async (method) => {
      const { directory } = service;
      const bob: FileAccount = {
        ...grace,
        uid: 'u1',
        username: 'bob@example.com',
        methods: [{ method }],
        identities: { google: { issuer: 'https://accounts.google.com', subject: 'bob' } },
      };
      expect(await imported({ ...grace, uid: 'u1' }, bob)).toEqual([
        'created',
        { refused: 'uid is that of another account' },
      ]);
      expect(await directory.accounts.find(bob.username)).toBeNull();
      expect(await directory.accounts.find(grace.username)).toMatchObject({
        methods: [{ method: 'basic' }],
        identities: {},
      });
      expect(await events()).toEqual(['account-imported']);
    },
  );

  it('move with passwords, two-step verification and identities, sealed, and disabled ones stay so', async () => {
    const { directory } = service;
    await service.write({
      mfa: app,
      methods: [{ method: 'basic' }, { method: 'google' }],
      lastReset: new Date(0),
    });
    const identity = { issuer: 'https://accounts.google.com', subject: '1' };
    await directory.accounts.bindIdentity(ada, 'google', identity);
    await directory.accounts.disable(ada);
    const account1 = await directory.accounts.find(ada);
    const exported = await collected(
      directory.accounts.export({ passwordHashes: true, sealedSecrets: true }),
    );
    const lines = exported.map((one) => JSON.stringify(one));
    expect(lines.join()).not.toContain(app.secret);
    await directory.accounts.remove(ada);

    const done = await vestibule(variablesOf(url), ['accounts', 'import', '-'], lines.join('\n'));
    expect(JSON.parse(done.stdout)).toEqual({ lines: 1, created: 1, existing: 0, refused: 0 });
    expect(await directory.accounts.find(ada)).toEqual(account1);
    await directory.accounts.enable(ada);
    const { status } = await service.enterCode(await service.challenge(), await service.codeOfApp());
    expect(status).toBe(200);
  });

  it('have to set an app up again where its secret was left behind', async () => {
    const { directory } = service;
    await service.write({ mfa: app });
    const [line] = await collected(directory.accounts.export({ passwordHashes: true, sealedSecrets: false }));
    expect(line?.mfa).toEqual({ type: 'mfa' });
    await directory.accounts.remove(ada);
    await imported(line ?? grace);
    expect(Object.keys((await service.signIn()).body)).toContain('mfaJWT');
  });

  it('of an unknown username cost the work of some account', async () => {
    // A hash that takes long enough to be told from ours, which takes a millisecond here.
    const slow = importedHash(bcrypt('$2b$11'));
    await imported({ ...grace, passwordHash: slow });
    const time = async (username: string): Promise<number> => {
      const begun = performance.now();
      await service.signIn({ username, password: 'Wrong-horse7' });
      return performance.now() - begun;
    };
    // The least of three: a busy machine only adds to it.
    const least = async (name: string) => Math.min(await time(name), await time(name), await time(name));
    const known = await least(grace.username);
    expect(await least('nobody@example.com')).toBeGreaterThan(known / 3);
  });

  it('are listed by what an administrator asks for', async () => {
    const { directory } = service;
    await service.write();
    await service.write({ username: 'bob_1@example.com', email: 'bob@example.org', mfa: app });
    await imported({
      ...grace,
      methods: [{ method: 'google' }],
      personas: { vault: [{ applicationUrl: 'https://vault.example.com/' }] },
    });
    await directory.accounts.lock(ada);
    const names = async (filter: Parameters<typeof directory.accounts.list>[0]) =>
      (await collected(directory.accounts.list(filter))).map(({ username }) => username.split('@')[0]);
    expect(await names({})).toEqual(['ada', 'bob_1', 'grace']);
    expect(await names({ search: 'OB_1' })).toEqual(['bob_1']);
    expect(await names({ search: '%' })).toEqual([]);
    expect(await names({ search: 'grace hop' })).toEqual(['grace']);
    expect(await names({ method: 'google' })).toEqual(['grace']);
    expect(await names({ twoStep: 'on' })).toEqual(['bob_1']);
    expect(await names({ twoStep: 'text' })).toEqual([]);
    expect(await names({ twoStep: 'off' })).toEqual(['ada', 'grace']);
    expect(await names({ application: 'vault' })).toEqual(['grace']);
    expect(await names({ hasPassword: false })).toEqual(['grace']);
    expect(await names({ isLocked: true })).toEqual(['ada']);
    expect(await names({ after: 'ADA@example.com' })).toEqual(['bob_1', 'grace']);
    expect(await names({ createdSince: new Date(service.now() + 1) })).toEqual([]);
    const [first] = await collected(directory.accounts.list());
    expect(first).toMatchObject({
      hasPassword: true,
      mfa: null,
      lockedUntil: new Date(service.now() + 900_000),
    });
  });

  it('are listed across pages', async () => {
    const many = Array.from({ length: 1201 }, (_one, index) => ({
      ...grace,
      username: `u${index}@example.com`,
    }));
    expect(new Set(await imported(...many))).toEqual(new Set(['created']));
    const listed = await collected(service.directory.accounts.list());
    expect(new Set(listed.map(({ username }) => username)).size).toBe(1201);
  });
});

describe('the commands', () => {
  let folder: string;
  let url: string;
  let variables: Record<string, string>;
  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'vestibule-accounts-'));
    url = await newDatabase();
    variables = variablesOf(url);
  });
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  const runs = (...args: readonly string[]) => vestibule(variables, args);
  const run = (file: string, content: string | Uint8Array, ...options: readonly string[]) => {
    writeFileSync(path.join(folder, file), content);
    return runs('accounts', 'import', path.join(folder, file), ...options);
  };
  const sentences = (stderr: string): readonly string[] =>
    stderr.split('\n').filter((line) => line.startsWith('Line '));

  it('name what is wrong with lines by their number, and import the others', async () => {
    const line = (changes: object): string =>
      JSON.stringify({ username: 'a@example.com', firstName: 'A', lastName: 'B', ...changes });
    const secret = 'pbkdf2_sha256$90000000$seasaltseasalt$c2VjcmV0';
    const file = [
      line({}),
      line({ username: 'A@Example.com' }),
      '{"username":',
      '',
      '[]',
      line({ username: 'c@example.com', pasword: 1 }),
      line({ username: 'd@example.com', password: 'clear' }),
      line({ username: 'e@example.com', passwordHash: secret }),
      line({ username: 'f@example.com', methods: [{ method: 'saml' }] }),
      line({ username: 'g@example.com', email: 'no address' }),
      line({ username: 'h@example.com', mfa: { type: 'mfa', sealedSecret: 'v1.AAAA' } }),
      line({ username: 'i@example.com', personas: { ledger: [{ applicationUrl: 'ledger' }] } }),
      line({ username: 'j@example.com', uid: 'j' }),
      line({ username: 'k@example.com', uid: 'j' }),
      line({ username: 'l@example.com', mfa: { type: 'mfa', sealedSecret: app.secret } }),
      line({ username: 'm@example.com', lastName: 'B\u009b2J' }),
      line({ username: 'n@example.com', personas: { '\u001b[2J': 'ledger' } }),
      line({ username: 'o@example.com', personas: JSON.parse('{"__proto__":[]}') as object }),
      line({ username: 'p@example.com', language: 'sv' }),
    ].join('\n');
    const { stdout, stderr, status } = await run('bad.jsonl', file);
    expect(sentences(stderr)).toEqual([
      'Line 2: username is that of line 1 already.',
      'Line 3: is no valid JSON.',
      'Line 5: is no JSON object.',
      'Line 6: pasword is not known.',
      'Line 7: password is not taken in clear: give passwordHash.',
      'Line 9: methods.0.method must be basic, google or microsoft.',
      'Line 10: email must be an e-mail address.',
      'Line 12: personas.ledger.0.applicationUrl must be an address.',
      'Line 14: uid is that of line 13 already.',
      'Line 16: lastName must be text, on one line.',
      'Line 17: personas.\\u001b[2J must be a list of applications.',
      'Line 18: personas must not name an application __proto__, constructor or as another property of every object.',
      'Line 8: passwordHash has an output of PBKDF2 that is not 16 to 64 bytes in base64.',
      'Line 11: mfa.sealedSecret does not open with ENCRYPTION_KEY, or was sealed for an account of another uid.',
      'Line 15: mfa.sealedSecret is not encrypted.',
      'Line 19: language must be one of en.',
    ]);
    expect(stderr).not.toMatch(/c2VjcmV0|JBSWY3DP/);
    expect(JSON.parse(stdout)).toEqual({ lines: 18, created: 2, existing: 0, refused: 16 });
    expect(status).toBe(1);
  });

  it('import and export the language of mails, and invite only in languages that the deployment offers', async () => {
    const inGerman = (...args: readonly string[]) => vestibule({ ...variables, LANGUAGES: 'en,de' }, args);
    const file = path.join(folder, 'languages.csv');
    writeFileSync(file, 'username,firstName,lastName,language\ns@example.com,S,B,de\n');
    expect((await inGerman('accounts', 'import', file)).stdout).toContain('"created":1');
    const [exported = ''] = (await inGerman('accounts', 'export', '--search', 's@example.com')).stdout.split(
      '\n',
    );
    expect(JSON.parse(exported)).toMatchObject({ username: 's@example.com', language: 'de' });
    // Without that language, `import` accepts the account.
    const inEnglish = await vestibule(variables, ['accounts', 'export', '--search', 's@example.com']);
    expect(JSON.parse(inEnglish.stdout)).not.toHaveProperty('language');
    const invited = await inGerman('accounts', 'invite', 's@example.com', '--language', 'sv');
    expect(invited).toEqual({ stdout: '', stderr: 'The deployment offers en, de, but not sv.\n', status: 1 });
    const printed = await inGerman('accounts', 'invite', 's@example.com', '--print', '--language', 'de');
    expect(printed.stderr).toContain("option '--print' cannot be used with option '--language <tag>'");
  });

  it('read CSV, with the applications of the command for who has none', async () => {
    const file = [
      'username,firstName,lastName,methods,applications,mustSetUpMfa,passwordHash',
      '"m@example.com","Ma","O\'Neil, Jr",basic microsoft:t1:c1,vault=https://vault.example.com/,true,',
      'n@example.com,N,B,,,,$2b$05$abcdefghijklmnopqrstuuX8zcipV6ONSfjWT0WXqJwXv5opfzNmK',
      'o@example.com,O,B,saml,,,',
      'p@example.com,P,B,,,perhaps,',
      'q@example.com,Q,B,sa\u001bml,,,',
      'r@example.com,R,B,,__proto__=https://vault.example.com/,,',
    ].join('\r\n');
    const { stdout, stderr } = await run(
      'some.csv',
      file,
      '--application',
      'ledger=https://ledger.example.com/',
    );
    expect(sentences(stderr)).toEqual([
      'Line 4: method saml: give basic, google, or microsoft:TENANT:CLIENT.',
      'Line 5: mustSetUpMfa must be true or false.',
      'Line 6: method sa\\u001bml: give basic, google, or microsoft:TENANT:CLIENT.',
      'Line 7: application __proto__: give it another name.',
    ]);
    expect(JSON.parse(stdout)).toMatchObject({ created: 2, refused: 4 });
    const listed = (await runs('accounts', 'list', '--after', 'm', '--limit', '2')).stdout;
    const [m, n] = listed
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
    expect(m).toMatchObject({
      username: 'm@example.com',
      lastName: "O'Neil, Jr",
      methods: [
        { method: 'basic' },
        { method: 'microsoft', configuration: { tenantId: 't1', clientId: 'c1' } },
      ],
      personas: { vault: [{ applicationUrl: 'https://vault.example.com/' }] },
      mustSetUpMfa: true,
      hasPassword: false,
    });
    expect(n).toMatchObject({
      email: 'n@example.com',
      personas: { ledger: [{ applicationUrl: 'https://ledger.example.com/' }] },
      hasPassword: true,
    });
    const exported = (await runs('accounts', 'export')).stdout;
    expect(exported).toContain('n@example.com');
    expect(exported).not.toContain('$2b$');
    expect((await runs('accounts', 'export', '--with-password-hashes')).stdout).toContain('$2b$05$');
    expect((await runs('audit', 'list', '--event', 'accounts-exported')).stdout).toContain(
      '"method":"hashes"',
    );
  });

  it.each([
    ['latin1.jsonl', Buffer.from('{"firstName":"Jos\xe9"}', 'latin1'), 'The file is not in UTF-8.'],
    ['ragged.csv', 'username,firstName\na\n', 'The file is no valid CSV (CSV_RECORD_INCONSISTENT_COLUMNS).'],
    ['wrong.jsonl', '[]', 'Line 1: is no JSON object.'],
  ])('refuse the file %s', async (name, content, sentence) => {
    const { stderr, status } = await run(name, content);
    expect(stderr).toContain(sentence);
    expect(status).toBe(1);
  });

  it('disable and enable an account, and say that a lock is less', async () => {
    const service = await startTestService({ database: { url }, now: Date.now });
    const { directory } = service;
    const { username } = await service.write({ firstName: 'A\u009b2J' });
    const accounts = (...args: readonly string[]) => runs('accounts', ...args);
    expect(JSON.parse((await accounts('disable', username)).stdout)).toEqual({ disabled: username });
    const listed = (await accounts('list', '--disabled')).stdout;
    expect(listed).toContain('A\\u009b2J');
    expect(JSON.parse(listed)).toMatchObject({ username, disabledAt: aString });
    expect(JSON.parse((await accounts('enable', username)).stdout)).toEqual({ enabled: username });
    expect(await collected(directory.accounts.list({ isDisabled: true }))).toEqual([]);
    await service.close();
    expect((await accounts('lock', username)).stderr).toContain('Only guesses at the password are locked.');
  });

  it('revoke keys: of API users, and those that sign', async () => {
    const service = await startTestService({ database: { url }, now: Date.now });
    const { directory } = service;
    const give = async (): Promise<string> =>
      text(await service.openInvite((await directory.links.inviteApiUser('Export')).id), 'apiKey');
    const [one, other] = [await give(), await give()];
    const { id: open } = await directory.links.inviteApiUser('Export');
    const apiKeys = (...args: readonly string[]) => runs('api-keys', ...args);
    expect(JSON.parse((await apiKeys('revoke', one)).stdout)).toEqual({ revoked: [one] });
    expect(JSON.parse((await apiKeys('list')).stdout)).toMatchObject({ apiKey: other, apiUser: 'Export' });
    expect(JSON.parse((await apiKeys('revoke', '--user', 'Export')).stdout)).toEqual({ revoked: [other] });
    expect((await service.openInvite(open)).status).toBe(404);

    const keys = (...args: readonly string[]) => runs('keys', ...args);
    const { kid } = JSON.parse((await keys('list')).stdout) as { kid: string };
    const revoked = await keys('revoke', '--', kid);
    expect(revoked.stderr).toContain('sessions go on with their next refresh');
    const { signs } = JSON.parse(revoked.stdout) as { signs: string };
    expect((await directory.keys.list()).map((key) => key.kid)).toEqual([signs]);
    expect(signs).not.toBe(kid);
    expect(await keys('revoke', '--', kid)).toMatchObject({ status: 1, stdout: '' });
    const events = (await collected(directory.auditLog.read())).map(({ event }) => event);
    expect(events.filter((event) => event.endsWith('revoked')).sort()).toEqual([
      'api-keys-revoked',
      'api-keys-revoked',
      'signing-key-revoked',
    ]);
    await service.close();
  });

  it('refuse a file that is not there, and an application without an address', async () => {
    const missing = await runs('accounts', 'import', path.join(folder, 'none.jsonl'));
    expect([missing.stderr.trim().split('\n').at(-1), missing.status]).toEqual([
      'The file cannot be read (ENOENT).',
      1,
    ]);
    const wrong = await run('empty.jsonl', '', '--application', 'ledger');
    expect(wrong.stderr).toContain('--application ledger: give GROUP=ADDRESS');
  });
});

async function collected<Value>(values: AsyncIterable<Value>): Promise<readonly Value[]> {
  const list: Value[] = [];
  for await (const value of values) list.push(value);
  return list;
}
