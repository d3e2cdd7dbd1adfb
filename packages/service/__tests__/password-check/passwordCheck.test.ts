import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildPasswordFilter, isInPasswordFilter } from '../../src/password-check/passwordFilter.ts';
import { itWith, optionsOf } from '../support/extensions.ts';
import { account, ada, describeService, startTestService, text } from '../support/testService.ts';
import { environmentOf, vestibule } from '../support/vestibule.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'passwords-'));
const list = path.join(folder, 'list');
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const sha1 = (word: string) => createHash('sha1').update(word).digest('hex');
const written = (lines: readonly string[], end = '\n'): string => {
  const file = path.join(folder, 'source');
  writeFileSync(file, lines.join(end) + end);
  return file;
};
const breached = {
  error: {
    message: 'This password appeared in a data breach. Choose another one.',
    code: 'password_breached',
  },
};

describe('an imported list of breached passwords', () => {
  it.each<[string, string, readonly string[], string]>([
    [
      'SHA-1 with counts, as Have I Been Pwned has them',
      'sha1',
      [`${sha1('Ölkanne7').toUpperCase()}:42`],
      '\n',
    ],
    ['SHA-1 in lower case, from Windows', 'sha1', [sha1('Ölkanne7')], '\r\n'],
    // Of 'test' and 'password'.
    ['NTLM', 'ntlm', ['0CB6948805F797BF2A82807973B89537:3', '8846F7EAEE8FB117AD06BDD830B7586C:9'], '\n'],
    ['passwords', 'sha1', ['Ölkanne7', '', 'password'], '\n'],
    ['passwords in the decomposed form', 'sha1', ['Ölkanne7'.normalize('NFD')], '\n'],
  ])('is read from %s', async (_what, kind, lines, end) => {
    const facts = await buildPasswordFilter(written(lines, end), list);
    expect(facts).toMatchObject({ kind, entries: lines.filter((line) => line !== '').length });
    expect(await isInPasswordFilter(list, kind === 'ntlm' ? 'test' : 'Ölkanne7')).toBe(true);
    expect(await isInPasswordFilter(list, 'Ölkanne8')).toBe(false);
  });

  it('finds each of 100,000 entries in less than 0.1 ms, and takes fewer than 2 of 1,000 others for one', async () => {
    const words = Array.from({ length: 100_000 }, (_none, index) => `in ${index}`);
    const shares: number[] = [];
    const { bytes } = await buildPasswordFilter(written(words.map(sha1)), list, (share) =>
      shares.push(share),
    );
    expect([bytes, statSync(list).size, shares.at(-1)]).toEqual([200_064, 200_064, 1]);
    // Processor time: other programs on the machine do not lengthen it.
    const begin = process.cpuUsage();
    let [right, wrong] = [0, 0];
    // All of them with the long tests, which CI runs.
    const asked = process.env['TEST_LONG'] === '1' ? words : words.filter((_word, index) => index % 10 === 0);
    for (const word of asked) if (await isInPasswordFilter(list, word)) right += 1;
    for (const word of asked) if (await isInPasswordFilter(list, `not ${word}`)) wrong += 1;
    expect(right).toBe(asked.length);
    expect(wrong).toBeLessThan(0.002 * asked.length);
    const { user, system } = process.cpuUsage(begin);
    expect((user + system) / 1_000 / (2 * asked.length)).toBeLessThan(0.1);
  });

  it.each<[string, readonly string[], string]>([
    ['another kind of line', [sha1('a'), 'password'], 'Line 2 is not a hash like the first one.'],
    ['a hash that goes on', [sha1('a'), `${sha1('b')}0`], 'Line 2 is not a hash like the first one.'],
    ['nothing', [], `${path.join(folder, 'source')} has no line.`],
  ])('with %s is refused, and the list before stays', async (_what, lines, message) => {
    await buildPasswordFilter(written(['Kept-word7']), list);
    await expect(buildPasswordFilter(written(lines), list)).rejects.toThrow(message);
    expect(await isInPasswordFilter(list, 'Kept-word7')).toBe(true);
  });

  it('is replaced on the command line, which shows the progress, or says what is wrong', async () => {
    const without = environmentOf('postgres://localhost/none');
    const variables = { ...without, PASSWORD_LIST: list };
    const words = Array.from({ length: 100_000 }, (_none, index) => sha1(`in ${index}`));
    const done = await vestibule(variables, ['passwords', 'import', written(words)]);
    expect(JSON.parse(done.stdout)).toEqual({ kind: 'sha1', entries: 100_000, bytes: 200_064 });
    expect(done.stderr).toMatch(/^(?:\d+ %\n)+100 %\n$/);
    expect(await isInPasswordFilter(list, 'in 7')).toBe(true);

    const refused = await vestibule(variables, ['passwords', 'import', written([])]);
    expect(refused).toEqual({
      status: 1,
      stdout: '',
      stderr: `${path.join(folder, 'source')} has no line.\n`,
    });
    const unset = await vestibule(without, ['passwords', 'import', written(['word'])]);
    expect(unset).toEqual({ status: 1, stdout: '', stderr: 'PASSWORD_LIST is not set.\n' });
  });
});

describeService(
  'the check of passwords',
  (service) => {
    const change = (bearer: string, newPassword: string) =>
      service.post(
        '/password-reset/v1/password-reset-manual',
        { newPassword, confirmPassword: newPassword, oldPassword: 'Correct-horse7', username: ada },
        { bearer },
      );
    beforeAll(() =>
      buildPasswordFilter(
        written(['Imported-word7', 'Ölkanne7', 'Ärmel-kahn7'.normalize('NFD')].map(sha1)),
        list,
      ),
    );

    it.each([
      'Imported-word7',
      'Password1',
      'pAssword1',
      'Qwerty123',
      'Ölkanne7',
      'Ölkanne7'.normalize('NFD'),
      // Leaked, and listed, as it was typed.
      'Ärmel-kahn7'.normalize('NFD'),
    ])(
      '%s is refused by reset, activation and change, and the link and the session stay',
      async (password) => {
        const { bearer } = await service.signedIn();
        const { id: reset } = await service.directory.links.reset(ada);
        const refused = [
          await service.reset(reset, { password, confirm: password }),
          await change(bearer, password),
        ];
        await service.directory.accounts.upsert(
          account({ username: 'ina', email: 'ina@example.com', password: null }),
        );
        const { id: invitation } = await service.directory.links.inviteUser('ina');
        refused.push(await service.activate(invitation, { password, confirm: password }));
        expect(refused.map(({ status, body }) => [status, body])).toEqual(refused.map(() => [422, breached]));
        expect((await service.activate(invitation)).status).toBe(200);
        expect((await change(bearer, 'Imported-word8')).status).toBe(200);
      },
    );

    it.each(['Payments1', 'Vestibule2026', 'L0velace-77', 'Ada-1815'])(
      '%s is refused as guessable by reset, activation and change, and the link and the session stay',
      async (password) => {
        const guessable = {
          error: {
            message: 'This password is too easy to guess. Choose another one.',
            code: 'password_guessable',
          },
        };
        const { bearer } = await service.signedIn();
        const { id: reset } = await service.directory.links.reset(ada);
        await service.directory.accounts.upsert(
          account({ username: 'ina', email: 'ina@example.com', password: null }),
        );
        const { id: invitation } = await service.directory.links.inviteUser('ina');
        const names = { firstName: 'Ada', lastName: 'Lovelace' };
        const refused = [
          await service.reset(reset, { password, confirm: password }),
          await change(bearer, password),
          await service.activate(invitation, { password, confirm: password, ...names }),
        ];
        expect(refused.map(({ status, body }) => [status, body])).toEqual(
          refused.map(() => [422, guessable]),
        );
        expect((await service.activate(invitation, names)).status).toBe(200);
        expect((await change(bearer, 'Front-door7')).status).toBe(200);
      },
    );

    it('the words of an account do not count for another account, nor for an invalid link', async () => {
      await service.write({ lastName: 'Byron' });
      const password = 'Lovelace-77';
      const { id } = await service.directory.links.reset(ada);
      expect((await service.reset('unknown', { password, confirm: password })).status).toBe(401);
      expect((await service.reset(id, { password, confirm: password })).status).toBe(200);
    });

    itWith('notices')(
      'a sign-in with such a password succeeds and causes a mail, once in 30 days',
      async () => {
        await service.write({ password: 'Imported-word7' });
        const mails = async () =>
          (await service.directory.messages.pending()).filter(({ kind }) => kind === 'password-breached')
            .length +
          service.outbox
            .unreadMails()
            .filter(({ subject }) => subject === 'Your password appeared in a data breach').length;
        for (let time = 0; time < 2; time += 1)
          expect(text(await service.signIn({ password: 'Imported-word7' }), 'token')).not.toBe('');
        expect((await service.signIn({ password: 'Imported-word8' })).status).toBe(401);
        const recorded = async () => {
          let count = 0;
          for await (const { event } of service.directory.auditLog.read())
            if (event === 'password-breached') count += 1;
          return count;
        };
        while ((await recorded()) === 0) await service.forgot('nobody@example.com');
        expect([await recorded(), await mails()]).toEqual([1, 1]);
      },
    );
  },
  { ...optionsOf('notices'), passwordCheck: true, passwordList: list, passwordWords: ['Vestibule'] },
);

it('without the extension, or with a missing list, other passwords are accepted', async () => {
  await using off = await startTestService({ passwordList: list });
  await using missing = await startTestService({
    passwordCheck: true,
    passwordList: path.join(folder, 'none'),
  });
  for (const [service, password] of [
    [off, 'Password1'],
    [off, 'Payments1'],
    [missing, 'Imported-word7'],
  ] as const) {
    await service.write();
    const { id } = await service.directory.links.reset(ada);
    expect((await service.reset(id, { password, confirm: password })).status).toBe(200);
  }
  expect(missing.log.entries().filter(({ level }) => level === 'error')).toMatchObject([
    { event: 'the list of breached passwords cannot be read' },
    { event: 'the list of breached passwords cannot be read' },
  ]);
});
