import { aString } from '../support/matchers.ts';
import { newDatabase } from '../support/postgres.ts';
import { startTestService, type TestService } from '../support/testService.ts';
import { environmentOf, vestibule } from '../support/vestibule.ts';

describe('the commands of clients', () => {
  let service: TestService;
  let clients: (...args: readonly string[]) => ReturnType<typeof vestibule>;

  beforeAll(async () => {
    const url = await newDatabase();
    service = await startTestService({ database: { url }, now: Date.now });
    clients = (...args) => vestibule(environmentOf(url), ['clients', ...args]);
  });
  afterAll(() => service.close());

  it('add, rotate, list and remove, and show a secret once', async () => {
    const redirect = ['--redirect', 'https://reports.example.com/callback'];
    const added = await clients(
      'add',
      'reports',
      '--name',
      'Reports',
      ...redirect,
      '--scope',
      'email',
      '--par',
      '--confirmations',
      ...['--confirmation-uri', 'https://reports.example.com/events'],
      ...['--initiate-login', 'https://reports.example.com/sign-in'],
    );
    const { id, secret } = JSON.parse(added.stdout) as { id: string; secret: string };
    expect([id, secret.length]).toEqual(['reports', 43]);

    const rotated = JSON.parse((await clients('rotate-secret', 'reports', '--keep', '1')).stdout) as object;
    expect(rotated).toEqual({
      id: 'reports',
      secret: aString,
      formerExpiresAt: aString,
    });

    const { stdout } = await clients('list');
    expect(stdout).not.toContain(secret);
    expect(JSON.parse(stdout)).toMatchObject({
      ...{ id: 'reports', name: 'Reports', from: 'command', authentication: 'secret' },
      ...{ par: true, confirmations: true },
      ...{ scopes: ['email'], redirectUris: ['https://reports.example.com/callback'] },
      confirmationUri: 'https://reports.example.com/events',
      initiateLoginUri: 'https://reports.example.com/sign-in',
      idTokenAlgorithm: 'RS256',
    });

    expect(JSON.parse((await clients('remove', 'reports')).stdout)).toEqual({ removed: 'reports' });
    expect((await clients('list')).stdout).toBe('');
  });

  it('say what is wrong in a sentence', async () => {
    const wrong = await clients('add', 'a', '--name', 'A', '--redirect', 'http://reports.example.com/');
    expect([wrong.status, wrong.stdout]).toEqual([1, '']);
    expect(wrong.stderr).toContain('redirectUris.0 must be an https address');
    const event = await clients('add', 'a', '--name', 'A', '--confirmation-uri', 'http://10.0.0.1/events');
    expect(event.stderr).toContain('confirmationUri must be an https address');
    expect((await clients('remove', 'b')).stderr.trim()).toBe("There is no client 'b'.");
  });
});
