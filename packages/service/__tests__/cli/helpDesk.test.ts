import { newDatabase } from '../support/postgres.ts';
import { sms } from '../support/secondStep.ts';
import { account, startTestService, type TestService } from '../support/testService.ts';
import { environmentOf, vestibule, type Ended } from '../support/vestibule.ts';

const ada = 'ada@example.com';
const google = { issuer: 'https://accounts.google.com', subject: '1234' };

describe('the commands of the help desk', () => {
  let service: TestService;
  let variables: Readonly<Record<string, string>>;
  let accounts: (...args: readonly string[]) => Promise<Ended>;

  beforeAll(async () => {
    const url = await newDatabase();
    service = await startTestService({ database: { url }, now: Date.now });
    variables = { ...environmentOf(url), SUDO_USER: 'grace' };
    accounts = (...args) => vestibule(variables, ['accounts', ...args]);
    await service.directory.accounts.upsert(
      account({ mfa: sms, methods: [{ method: 'basic' }, { method: 'google' }] }),
    );
  });
  afterAll(() => service.close());

  /** @returns the line that the command printed. */
  const done = async (...args: readonly string[]): Promise<unknown> => {
    const { status, stdout } = await accounts(...args);
    expect(status).toBe(0);
    return JSON.parse(stdout);
  };
  const refused = async (...args: readonly string[]): Promise<string> => {
    const { status, stdout, stderr } = await accounts(...args);
    expect([status, stdout]).toEqual([1, '']);
    return stderr.trim();
  };
  const found = () => service.directory.accounts.find(ada);

  it('reset a second factor once, and say that there is none', async () => {
    expect(await done('reset-two-step', ada)).toEqual({ twoStepReset: ada });
    expect(await found()).toMatchObject({ mfa: null, mustSetUpMfa: true });
    expect(await refused('reset-two-step', ada)).toBe('The account has no second factor.');
  });

  it('print a reset link that works', async () => {
    const { url } = (await done('reset-password', ada, '--print')) as { readonly url: string };
    expect((await service.reset(url.slice(url.lastIndexOf('/') + 1))).status).toBe(200);
  });

  it('bind an identity and remove the binding', async () => {
    const identity = ['--issuer', google.issuer, '--subject', google.subject];
    expect(await done('bind-identity', ada, '--provider', 'google', ...identity)).toEqual({ bound: ada });
    expect(await found()).toMatchObject({ identities: { google } });
    expect(await done('unbind-identity', ada, '--provider', 'google')).toEqual({ unbound: ada });
    expect(await found()).toMatchObject({ identities: {} });
  });

  it('change an account, and not to a username that is taken', async () => {
    await service.directory.accounts.upsert(account({ username: 'bob@example.com' }));
    expect(await refused('change', ada, '--username', 'Bob@Example.com')).toBe(
      "The account 'Bob@Example.com' already exists.",
    );
    expect(await refused('change', ada)).toBe('Give at least one option.');
    expect(await done('change', ada, '--last-name', 'King', '--email', 'king@example.com')).toEqual({
      changed: ada,
    });
    expect(await found()).toMatchObject({ firstName: 'Ada', lastName: 'King', email: 'king@example.com' });
  });

  it('require a new password, also of the account in another system; the audit log names the administrator', async () => {
    expect(await refused('require-new-password', ada, '--as', 'mallory')).toBe(
      "With sudo the audit log names 'grace': leave out --as.",
    );
    expect(await done('require-new-password', ada)).toEqual({ newPasswordRequired: ada });
    const { SUDO_USER: _sudo, ...without } = variables;
    const chosen = await vestibule({ ...without, LOGNAME: 'root' }, [
      '--as',
      'katherine',
      'accounts',
      'unlock',
      ada,
    ]);
    expect(chosen.status).toBe(0);
    expect(await done('show', ada)).toMatchObject({ mustChangePassword: true });
    const { stdout } = await accounts('export', '--with-password-hashes');
    const elsewhere = { ...variables, DATABASE_URL: await newDatabase() };
    expect((await vestibule(elsewhere, ['accounts', 'import', '-'], stdout)).status).toBe(0);
    const shown = await vestibule(elsewhere, ['accounts', 'show', ada]);
    expect(JSON.parse(shown.stdout)).toMatchObject({ hasPassword: true, mustChangePassword: true });
    const entries: (readonly [event: string, administrator: string | null])[] = [];
    for await (const { event, administrator } of service.directory.auditLog.read({ username: ada }))
      entries.push([event, administrator]);
    expect(entries).toEqual([
      ['account-written', null],
      ['two-step-reset', 'grace'],
      ['link-issued', 'grace'],
      ['password-reset', null],
      ['identity-bound', 'grace'],
      ['identity-bound', 'grace'],
      ['account-changed', 'grace'],
      ['new-password-required', 'grace'],
      ['account-unlocked', 'katherine (root)'],
    ]);
  });
});
