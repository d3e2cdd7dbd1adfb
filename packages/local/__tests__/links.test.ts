import { spawn } from 'node:child_process';
import { controlClient, type ControlClient } from '../src/control/client.ts';
import { invite } from '../src/control/invite.ts';
import type { LinkRequest } from '../src/links/linkRequest.ts';
import type { RunningEnvironment } from '../src/localEnvironment.ts';
import { ask, navigation, post, type Answered } from './support/ask.ts';
import { startQuickEnvironment } from './support/startQuickEnvironment.ts';

let environment: RunningEnvironment;
let control: ControlClient;

beforeAll(async () => {
  environment = await startQuickEnvironment({ journal: true });
  control = controlClient(environment.port);
});
beforeEach(() => control.reset());
afterAll(() => environment.close());

const at = (host: string, path = '/'): string => `http://${host}:${environment.port}${path}`;
const api = (path: string, body: object) => post(at('api.payments.localhost', path), body);
const passwords = { password: 'New-secret8', confirm: 'New-secret8', method: 'basic' };
const activate = (hash: string): Promise<Answered> =>
  api('/password-reset/v1/activate', { firstName: 'Zoe', lastName: 'Quist', ...passwords, hash });
const idIn = (url: string): string => url.slice(url.lastIndexOf('/') + 1);

describe('links issued through the control API', () => {
  test('an invitation creates the account, and activates it', async () => {
    const username = 'zoe@payments.example';
    const link = await control.makeLink({ kind: 'invitation', username });
    expect(link.url).toBe(at('login.payments.localhost', `/activate/${link.id}`));
    expect((await activate(link.id)).status).toBe(200);
    const signedIn = await api('/auth/v1/token', { username, method: 'basic', password: passwords.password });
    expect(signedIn.status).toBe(200);
  });

  test('an invalid request is rejected with a message', async () => {
    const at409 = control.makeLink({ kind: 'invitation', username: 'ada@payments.example' });
    await expect(at409).rejects.toMatchObject({ reason: 'The account is active: it has a password.' });
    const answered = await post(at('control.payments.localhost', '/links'), { kind: 'pigeon' });
    expect([answered.status, answered.text]).toStrictEqual([400, expect.stringContaining('invitation')]);
  });

  test.each<[LinkRequest, string]>([
    [{ kind: 'invitation', username: '' }, 'Say whose link it is: it must not be blank.'],
    [{ kind: 'invitation', username: ' \u3000' }, 'Say whose link it is: it must not be blank.'],
    [{ kind: 'reset', username: ' ' }, 'Say whose link it is: it must not be blank.'],
    [{ kind: 'api-invitation', name: '\t' }, 'Say what the key is for: it must not be blank.'],
    [{ kind: 'api-invitation', name: 'Export', mailTo: '' }, 'Say where to mail it: it must not be blank.'],
    [
      { kind: 'magic', username: 'ada@payments.example', application: '' },
      'Say which application it leads to: it must not be blank.',
    ],
  ])('%j is rejected, and creates neither a link nor an account', async (request, reason) => {
    await expect(control.makeLink(request)).rejects.toMatchObject({ reason });
    expect(await environment.service.directory.accounts.find('')).toBeNull();
    expect(await control.outbox()).toStrictEqual([]);
  });
});

describe('the ready-made links of the start page', () => {
  const linkOf = async (title: string): Promise<string | null> => {
    const page = await ask(at('payments.localhost'), { headers: navigation });
    expect(page.text).toContain(title);
    return new RegExp(`<a\\s+href="([^"]+)"\\s*>${title}</a`).exec(page.text)?.[1] ?? null;
  };
  const press = (link: string, origin = at('payments.localhost', '')): Promise<Answered> =>
    ask(at('payments.localhost', '/links'), {
      method: 'POST',
      headers: { Origin: origin, 'Content-Type': 'application/x-www-form-urlencoded' },
      body: `link=${link}`,
    });

  test.each([
    ['Invitation', 'login', /^\/activate\/[\w-]{43}$/],
    ['Invitation of an API user', 'login', /^\/secret-key\/[\w-]{43}$/],
    ['Reset link', 'login', /^\/reset-password\/[\w-]{43}$/],
    ['Magic link into the Ledger', 'login', /^\/redirect\/[\w-]{43}$/],
    ['Magic link to an activation', 'login', /^\/redirect\/[\w-]{43}$/],
    ['Magic link to a password reset', 'login', /^\/redirect\/[\w-]{43}$/],
    ['Magic link to an API key', 'login', /^\/redirect\/[\w-]{43}$/],
    ['Short link into the Ledger', 'go', /^\/[\w-]{43}$/],
  ])('%s is listed until it is used', async (title, host, path) => {
    const first = new URL((await linkOf(title)) ?? '');
    expect(first.host).toBe(`${host}.payments.localhost:${environment.port}`);
    expect(first.pathname).toMatch(path);
    expect(await linkOf(title)).toBe(first.href);
  });

  test('a used one is shown as used, and its button restores the account and issues a new link', async () => {
    const used = idIn((await linkOf('Invitation')) ?? '');
    expect((await activate(used)).status).toBe(200);
    expect(await linkOf('Invitation')).toBeNull();

    const pressed = await press('invitation');
    expect([pressed.status, pressed.headers.location]).toStrictEqual([303, '/#links']);
    const next = idIn((await linkOf('Invitation')) ?? '');
    expect(next).not.toBe(used);
    expect((await activate(next)).status).toBe(200);
  });

  test('a page of another origin cannot press a button', async () => {
    const before = await linkOf('Reset link');
    expect((await press('reset', 'http://evil.localhost')).status).toBe(403);
    expect(await linkOf('Reset link')).toBe(before);
  });
});

describe('npm run invite', () => {
  const run = (...args: string[]) => invite(args, String(environment.port));

  test('prints the error, and exits with an error code', async () => {
    const command = spawn(process.execPath, ['--import', 'tsx', 'packages/local/src/invite.ts', '--fast'], {
      env: { PATH: process.env['PATH'] },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let wrong = '';
    command.stderr.on('data', (chunk) => (wrong += String(chunk)));
    const code = await new Promise<number | null>((resolve) => command.once('close', resolve));
    expect([code, wrong]).toStrictEqual([1, expect.stringMatching(/--fast[^]*npm run invite -- user/)]);
  });

  test.each([
    [['user', 'zoe@payments.example'], 'login', '/activate/'],
    [['--magic', 'user', 'zoe@payments.example'], 'go', '/'],
    [['api', 'Export', 'ops@payments.example'], 'login', '/secret-key/'],
    [['reset', 'ada@payments.example'], 'login', '/reset-password/'],
    [['magic', 'ada@payments.example', 'ledger'], 'go', '/'],
  ])('%j prints the link, and mails it', async (args, host, path) => {
    const { done, text: said } = await run(...args);
    expect(done).toBe(true);
    const [url = ''] = said.split('\n');
    expect(url).toMatch(new RegExp(`^${at(`${host}.payments.localhost`, path)}[\\w-]{43}$`));
    expect((await control.outbox()).map(({ text }) => text)).toStrictEqual([
      expect.stringContaining(`\n${url}\n`),
    ]);
  });

  test('prints its usage and the error', async () => {
    expect(await run('--help')).toStrictEqual({
      done: true,
      text: expect.stringContaining('npm run invite -- user') as unknown,
    });
    for (const [args, reason] of [
      [[], 'Say what link, and for whom.'],
      [['pigeon', 'ada'], "There are no links of the kind 'pigeon'."],
      [['magic', 'ada@payments.example'], 'Say which application'],
    ] as const) {
      const { done, text } = await run(...args);
      expect([done, text]).toStrictEqual([false, expect.stringContaining(reason)]);
      expect(text).toContain('npm run invite -- user');
    }
    const blank = await run('user', '');
    expect(blank).toStrictEqual({ done: false, text: 'Say whose link it is: it must not be blank.' });
    const refused = await run('user', 'ada@payments.example');
    expect(refused).toStrictEqual({ done: false, text: 'The account is active: it has a password.' });
    const nowhere = await invite(['reset', 'ada'], '40 00');
    expect(nowhere).toMatchObject({
      done: false,
      text: expect.stringContaining('The port must be') as unknown,
    });
  });
});

test('an environment outside tests issues links, and has no journal', async () => {
  const plain = await startQuickEnvironment();
  try {
    const { url } = await controlClient(plain.port).makeLink({
      kind: 'reset',
      username: 'ada@payments.example',
    });
    expect(url).toContain(`:${plain.port}/reset-password/`);
    await expect(controlClient(plain.port).journal()).rejects.toThrow('404');
    await expect(controlClient(plain.port).reset()).rejects.toThrow('404');
  } finally {
    await plain.close();
  }
});
