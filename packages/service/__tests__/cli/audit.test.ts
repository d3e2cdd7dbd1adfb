import { newDatabase, withClient } from '../support/postgres.ts';
import { ada, at, startTestService, type TestService } from '../support/testService.ts';
import { environmentOf, vestibule } from '../support/vestibule.ts';

const bob = 'bob@example.com';

describe('the audit log on the command line', () => {
  let url: string;
  let service: TestService;
  let uids: Readonly<Record<'ada' | 'bob', string>>;

  beforeAll(async () => {
    url = await newDatabase();
    service = await startTestService({ database: { url }, now: Date.now, trustedProxies: ['127.0.0.1'] });
    const accounts = [await service.write(), await service.write({ username: bob, email: bob })] as const;
    uids = { ada: accounts[0].uid, bob: accounts[1].uid };
    await at(service, '192.0.2.7').signIn();
    await at(service, '192.0.2.7').signIn({ password: 'wrong' });
    await at(service, '198.51.100.9').signIn({ username: bob });
    await at(service, '192.0.2.8').signIn({ username: bob });
    await at(service, '2001:db8:5:6::1').signIn({ username: bob });
    await withClient(url, (client) =>
      client.query(`insert into audit_log (at, event, outcome, network, method)
        values (now(), 'client-added', 'success', null, 'reports'),
          ('2026-01-01', 'sign-in', 'pending', 'unknown', 'reports')`),
    );
  });
  afterAll(() => service.close());

  const lines = async (...args: readonly string[]): Promise<readonly Record<string, unknown>[]> => {
    const { status, stdout } = await vestibule(environmentOf(url), args);
    expect(status).toBe(0);
    return stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  };
  const audit = (...args: readonly string[]) => lines('audit', 'list', '--event', 'sign-in', ...args);

  it.each([
    ['192.0.2.7', 2],
    ['192.0.2.0/24', 3],
    ['2001:db8:5:6::1', 1],
    ['2001:db8::/32', 1],
    ['203.0.113.0/24', 0],
  ])('lists the entries from the network %s', async (network, count) => {
    expect(await audit('--network', network)).toHaveLength(count);
  });

  it('shows the present username beside the uid, also after the account was renamed', async () => {
    const shown = async () =>
      (await audit('--network', '198.51.100.9')).map(({ uid, username }) => ({ uid, username }));
    expect(await shown()).toEqual([{ uid: uids.bob, username: bob }]);
    await service.directory.accounts.change(bob, { username: 'robert' });
    expect(await shown()).toEqual([{ uid: uids.bob, username: 'robert' }]);
    await service.directory.accounts.change('robert', { username: bob });
  });

  it('lists the entries before a time, and those of a client', async () => {
    expect(await audit('--until', '2026-02-01')).toMatchObject([{ network: 'unknown', outcome: 'pending' }]);
    expect(await lines('audit', 'list', '--client', 'reports')).toMatchObject([{ event: 'client-added' }]);
  });

  it('refuses what is no network', async () => {
    const { stderr } = await vestibule(environmentOf(url), ['audit', 'list', '--network', '192.0.2.0/33']);
    expect(stderr).toContain('Give an address, or a range such as 192.0.2.0/24.');
  });

  it('tells which accounts have signed in from a network, and when', async () => {
    const from = (...args: readonly string[]) => lines('accounts', 'signed-in-from', ...args);
    const time: unknown = expect.stringMatching(/^20\d\d-/);
    const times = { firstAt: time, lastAt: time };
    expect(await from('192.0.2.0/24')).toEqual([
      { uid: uids.bob, username: bob, signIns: 1, ...times },
      { uid: uids.ada, username: ada, signIns: 1, ...times },
    ]);
    expect(await from('192.0.2.0/24', '--until', '1h')).toEqual([]);
    expect(await from('192.0.2.0/24', '--since', '1h')).toHaveLength(2);
  });

  it('takes the uid of an account wherever it takes the username', async () => {
    const entries = await audit('--user', uids.ada);
    expect(entries).toEqual(await audit('--user', ada));
    expect(entries).not.toEqual([]);
    expect(await lines('accounts', 'show', uids.ada)).toMatchObject([{ username: ada }]);
    const printed = [];
    for (const command of ['lock', 'unlock', 'disable', 'enable', 'end-sessions', 'require-new-password'])
      printed.push(...(await lines('accounts', command, uids.ada)).flatMap((line) => Object.values(line)));
    expect(printed).toEqual(Array(6).fill(ada));
    const { stderr } = await vestibule(environmentOf(url), ['accounts', 'show', 'u_unknown']);
    expect(stderr).toContain("There is no account 'u_unknown'.");
  });
});
