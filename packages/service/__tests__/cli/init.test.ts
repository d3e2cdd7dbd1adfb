import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { initialize, readListener, readProxies, type InitOptions } from '../../src/cli/init.ts';
import { readDeployment } from '../../src/deployment.ts';
import { initParts } from '../../src/slots.ts';

describe('vestibule init', () => {
  let out: string;
  let printed: string;
  beforeEach(() => {
    out = mkdtempSync(path.join(tmpdir(), 'vestibule-init-'));
    printed = '';
    jest.spyOn(console, 'log').mockImplementation((line) => {
      printed += `${String(line)}\n`;
    });
    // Another user than root installs no units of systemd.
    jest.spyOn(process, 'getuid').mockReturnValue(1000);
  });
  afterEach(() => {
    rmSync(out, { recursive: true });
  });

  const run = (options: Partial<InitOptions> = {}, hosts = ['login.acme.co.uk', 'api.acme.co.uk']) =>
    initialize(hosts[0], hosts[1], { ...options, out });
  const written = (): string => readFileSync(path.join(out, 'deployment.yaml'), 'utf8');
  const environment = () => readDeployment(written()).environment;

  it.each([
    ['login.example.com', 'api.example.com', 'example.com'],
    ['login.acme.co.uk', 'api.acme.co.uk', 'acme.co.uk'],
    ['login.acme.co.uk', 'acme.co.uk', 'acme.co.uk'],
    ['acme.co.uk', 'api.acme.co.uk', 'acme.co.uk'],
    ['Login.pay.Example.com', 'api.pay.example.com', 'pay.example.com'],
    ['login.eu.example.com', 'api.us.example.com', 'example.com'],
    ['login.acme.github.io', 'api.acme.github.io', 'acme.github.io'],
    ['login.payments.internal', 'api.payments.internal', 'payments.internal'],
  ])('gives the cookies of %s and %s the domain %s', async (login, service, domain) => {
    await run({}, [login, service]);
    expect(readDeployment(written()).page.cookies.domain).toBe(domain);
  });

  it.each([
    ['login.acme.co.uk', 'api.other.co.uk', ': they belong to acme.co.uk and other.co.uk.'],
    ['acme.herokuapp.com', 'api.herokuapp.com', ': they belong to acme.herokuapp.com and api.herokuapp.com.'],
    ['login.internal', 'api.internal', ': they belong to login.internal and api.internal.'],
    ['co.uk', 'api.co.uk', '.'],
    ['login.example.com', '203.0.113.7', '.'],
  ])('refuses %s with %s, which have no domain in common', async (login, service, end) => {
    await expect(run({}, [login, service])).rejects.toThrow(
      new Error(`${login} and ${service} are not hosts of one domain of yours, such as example.com${end}`),
    );
  });

  it('offers every extension, with its settings, as lines that need no more than to be uncommented', async () => {
    await run();
    const { page } = readDeployment(written());
    expect(page.extensions).toEqual(initParts.filter(({ isOn }) => isOn).map(({ name }) => name));
    const all = written().replace(/^( +)# /gm, '$1');
    expect(readDeployment(all, out).page.extensions).toEqual(initParts.map(({ name }) => name));
  });

  it('ends by how to see that it works, and how to make the first account', async () => {
    await run();
    const command = `vestibule --config ${path.join(out, 'deployment.yaml')}`;
    expect(printed).toContain(`Next: certbot certonly `);
    expect(printed.split('\n').slice(-6)).toEqual([
      `Start the process: ${command} serve`,
      `Then see that it works: ${command} doctor, and https://login.acme.co.uk/login in a browser.`,
      'Make the first account, and open the link that the second command prints:',
      `${command} accounts create ada@example.com --first-name Ada --last-name Lovelace`,
      `${command} accounts invite ada@example.com --print`,
      '',
    ]);
  });

  it('trusts the proxy and, without units of systemd, writes where the process listens', async () => {
    await run({ proxy: ['10.0.0.9', '10.1.0.0/16'], listen: { host: '10.0.0.2', port: '4007' } });
    expect(environment()).toMatchObject({
      TRUSTED_PROXIES: '10.0.0.9,10.1.0.0/16',
      HOST: '10.0.0.2',
      PORT: '4007',
    });
    expect(environment()).not.toHaveProperty('TLS_KEY_FILE');
  });

  it('listens on this machine for a proxy on this machine, and asks for the address for another one', async () => {
    await expect(run({ proxy: ['10.0.0.9'] })).rejects.toThrow(/^A proxy on another machine does not reach/);
    await run({ proxy: ['127.0.0.1', '::1'] });
    expect(environment()).toMatchObject({
      TRUSTED_PROXIES: '127.0.0.1,::1',
      HOST: '127.0.0.1',
      PORT: '4001',
    });
  });

  it('leaves the address of a container to its image', async () => {
    await run({ proxy: ['172.16.0.0/12'], container: true });
    expect(environment()).toMatchObject({ TRUSTED_PROXIES: '172.16.0.0/12' });
    expect(environment()).not.toHaveProperty('PORT');
  });

  it('says what to set in a file that exists, such as that of another machine', async () => {
    await run({ proxy: ['10.0.0.0/29'], listen: { host: '10.0.0.2', port: '4001' } });
    const before = written();
    printed = '';
    await run({ proxy: ['10.0.0.3', '10.0.0.9'], listen: { host: '10.0.0.4', port: '4001' } });
    expect(written()).toBe(before);
    expect(printed.split('\n').filter((line) => line.startsWith('In '))).toEqual([
      `In ${out}/deployment.yaml, set service.environment.HOST: '10.0.0.4'`,
      `In ${out}/deployment.yaml, set service.environment.TRUSTED_PROXIES: '10.0.0.0/29,10.0.0.9'`,
    ]);
  });

  it('refuses --listen without a proxy', async () => {
    await expect(run({ listen: { host: '10.0.0.2', port: '4001' } })).rejects.toThrow(
      '--listen is for a process behind a proxy: give the address of that as --proxy.',
    );
  });

  it.each([
    ['10.0.0.2:4001', { host: '10.0.0.2', port: '4001' }],
    ['[2001:db8::2]:443', { host: '2001:db8::2', port: '443' }],
  ])('reads --listen %s', (text, listener) => {
    expect(readListener(text)).toEqual(listener);
  });

  it.each(['4001', '10.0.0.2', 'localhost:4001', '10.0.0.0/8:4001', '10.0.0.2:0', '10.0.0.2:65536', ''])(
    'refuses --listen %s',
    (text) => {
      expect(() => readListener(text)).toThrow('such as 10.0.0.2:4001.');
    },
  );

  it.each(['10.0.0.9:4001', 'proxy.example.com', '', '10.0.0.9,'.repeat(2) + 'x'])(
    'refuses --proxy %s',
    (text) => {
      expect(() => readProxies(text)).toThrow('without a port');
    },
  );
});
