import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { freePorts } from '@vestibule/contract/testing/freePorts';
import { applyDeployment, type Machine } from '../../src/cli/apply.ts';
import { readDeployment } from '../../src/cli/deployment.ts';
import { newDatabase } from '../support/postgres.ts';
import {
  ask,
  createTestDeployment,
  nginxCommand,
  writeSmallBuild,
  type TestDeployment,
} from '../support/testDeployment.ts';
import { encryptionKey } from '../support/testService.ts';
import { vestibule } from '../support/vestibule.ts';

const packageFolder = path.resolve(__dirname, '../..');
const credentials = { username: 'ada@example.com', method: 'basic', password: 'Correct-horse7' };

describe('vestibule apply', () => {
  let testDeployment: TestDeployment;
  let machine: Machine;
  let ports: readonly number[];
  const file = (...names: readonly string[]) => path.join(testDeployment.folder, ...names);
  const current = () => file('state/current');

  /** The folder of a release, whose command line is that of the sources. */
  const writeRelease = (name: string, script = "import 'file:'"): string => {
    const folder = file('releases', name);
    writeSmallBuild(path.join(folder, 'dist'));
    writeFileSync(path.join(folder, 'dist/robots.txt'), `# ${name}\n`);
    const commandLine = path.join(folder, 'packages/service/dist/cli/vestibule.js');
    mkdirSync(path.dirname(commandLine), { recursive: true });
    const sources = pathToFileURL(path.join(packageFolder, 'src/cli/vestibule.ts')).href;
    writeFileSync(commandLine, script.replace('file:', sources));
    writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
    cpSync(path.join(packageFolder, 'deploy'), path.join(folder, 'packages/service/deploy'), {
      recursive: true,
    });
    return folder;
  };

  const apply = async (
    release: string,
    change: (text: string) => string = (text) => text,
    isDryRun = false,
  ) => {
    const lines: string[] = [];
    const deployment = readDeployment(change(testDeployment.deployment));
    await applyDeployment(deployment, release, { machine, isDryRun, print: (line) => void lines.push(line) });
    return lines.join('\n');
  };
  const host = (name: string) => `${name}.example.test`;
  const robots = async () => (await ask(testDeployment, host('login'), '/robots.txt')).body;
  const signIn = async () => {
    const response = await ask(testDeployment, host('api'), '/auth/v1/token', {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Origin: `https://${host('login')}:${testDeployment.httpsPort}`,
      },
      body: JSON.stringify(credentials),
    });
    return response.status;
  };
  /** Signs in and opens the page without pause while work is done. @returns the statuses that occurred */
  const meanwhile = async (work: () => Promise<unknown>): Promise<ReadonlySet<number>> => {
    const statuses = new Set<number>();
    let isOver = false;
    const use = async () => {
      while (!isOver) {
        statuses.add(await signIn());
        statuses.add(
          (await ask(testDeployment, host('login'), '/login', { headers: { accept: 'text/html' } })).status,
        );
        statuses.add((await ask(testDeployment, host('login'), '/assets/app.0123abcd.js')).status);
      }
    };
    const using = use();
    await work().finally(() => {
      isOver = true;
    });
    await using;
    return statuses;
  };
  const idOf = (port: number) => readFileSync(file(`vestibule@${port}.id`), 'utf8');

  beforeAll(async () => {
    ports = await freePorts(3);
    const [first = 0, second = 0] = ports;
    testDeployment = await createTestDeployment([first, second]);
    testDeployment = {
      ...testDeployment,
      deployment: `${testDeployment.deployment.replace('out/page', 'state/current/page')}    UNLIMITED_NETWORKS: 127.0.0.0/8\n    DRAIN_SECONDS: 1\n`,
    };
    for (const name of ['bin', 'conf.d', 'units']) mkdirSync(file(name));
    machine = {
      state: file('state'),
      nginx: file('conf.d'),
      units: file('units'),
      path: `${file('bin')}:${process.env['PATH'] ?? ''}`,
    };
    const nginx = nginxCommand(testDeployment.folder, file('conf.d/*.conf'));
    const scripts = {
      nginx: `exec ${nginx.join(' ')} "$@"`,
      // The name of the unit is the second argument.
      journalctl: `grep '"event":"start failed"' "${testDeployment.folder}/$2.log" | tail -n 1 | grep .`,
      systemctl: `MACHINE=${testDeployment.folder} NGINX='${JSON.stringify(nginx)}' exec ${process.execPath} ${packageFolder}/__tests__/support/systemctl.mjs "$@"`,
    };
    for (const [name, script] of Object.entries(scripts)) {
      writeFileSync(file('bin', name), `#!/bin/sh\n${script}\n`);
      chmodSync(file('bin', name), 0o755);
    }
    process.env['NODE_OPTIONS'] = '--import tsx';
    const url = await newDatabase();
    writeFileSync(file('database-url'), url);
    writeFileSync(file('encryption-key'), encryptionKey);
    const variables = {
      ...readDeployment(testDeployment.deployment).environment,
      DATABASE_URL: url,
      ENCRYPTION_KEY: encryptionKey,
    };
    const { DATABASE_URL_FILE: _, ENCRYPTION_KEY_FILE: __, ...rest } = variables as Record<string, string>;
    const { username, password } = credentials;
    const names = ['--first-name', 'Ada', '--last-name', 'Lovelace'];
    const application = ['--application', 'ledger=https://a.apps.example.test/'];
    const create = ['accounts', 'create', username, ...names, ...application, '--password-stdin'];
    const created = await vestibule(rest, create, password);
    if (created.status !== 0) throw new Error(created.stderr);
  });
  afterAll(() => {
    for (const name of readdirSync(testDeployment.folder).filter((one) => /\.(?:id|pid)$/.test(one)))
      execFileSync('/bin/sh', ['-c', `kill $(cat ${file(name)}) || true`]);
    testDeployment.remove();
  });

  it('installs the first release: page, nginx, variables and processes', async () => {
    const printed = await apply(writeRelease('one'));
    expect(printed).toContain('release: none → one');
    expect(await signIn()).toBe(200);
    expect(await robots()).toBe('# one\n');
    expect(readFileSync(file('units/vestibule@.service'), 'utf8')).toContain('/var/lib/vestibule/current');
  });

  it('shows what a changed setting changes, and with --dry-run changes nothing', async () => {
    const before = readlinkSync(current());
    const change = (text: string) => text.replace('Example Payments', 'Other Payments');
    const printed = await apply(file('releases/one'), change, true);
    expect(printed).toMatch(/^-PRODUCT_NAME="Example Payments"\n\+PRODUCT_NAME="Other Payments"$/m);
    expect(printed).not.toMatch(/^[-+].*vestibule\.conf/m);
    expect(readlinkSync(current())).toBe(before);
    expect(readdirSync(file('state'))).toHaveLength(2);
  });

  it('upgrades one process after the other while people sign in, and goes back to the former release', async () => {
    const ids = ports.slice(0, 2).map(idOf);
    const two = writeRelease('two');
    expect(await meanwhile(() => apply(two))).toEqual(new Set([200]));
    expect(await robots()).toBe('# two\n');
    for (const [index, port] of ports.slice(0, 2).entries()) expect(idOf(port)).not.toBe(ids[index]);
    expect(await meanwhile(() => apply(file('releases/one')))).toEqual(new Set([200]));
    expect(await robots()).toBe('# one\n');
  });

  it('starts a process that the file adds, and stops one that it no longer names', async () => {
    const [first = 0, second = 0, third = 0] = ports;
    const change = (text: string) => text.replace(`127.0.0.1:${second}`, `127.0.0.1:${third}`);
    const printed = await apply(file('releases/one'), change);
    expect(printed).toContain(`vestibule@${third} is ready.`);
    expect(printed).toContain(`vestibule@${second} is stopped`);
    expect([first, second, third].map((port) => existsSync(file(`vestibule@${port}.id`)))).toEqual([
      true,
      false,
      true,
    ]);
    expect(await signIn()).toBe(200);
    await apply(file('releases/one'));
  });

  it('keeps three deployments', () => {
    expect(readdirSync(file('state'))).toHaveLength(4);
  });

  test.each([
    [
      'nginx refuses its configuration',
      'one',
      (text: string) => text.replace('/cert.pem', '/none.pem'),
      /`nginx -t -q` failed: .*none\.pem/s,
    ],
    [
      'a process does not become ready',
      'broken',
      (text: string) => text,
      /^vestibule@\d+ did not become ready: see/,
    ],
    [
      'the schema cannot be changed',
      'stuck',
      (text: string) => text,
      /`vestibule migrate` failed: no schema/,
    ],
  ])('leaves everything as it was when %s, and says why', async (_what, name, change, reason) => {
    if (name === 'broken')
      writeRelease(name, "if (process.argv.includes('serve')) process.exit(1); else await import('file:')");
    if (name === 'stuck') writeRelease(name, "console.error('no schema'); process.exit(1);");
    const before = realpathSync(current());
    let refusal: unknown;
    const statuses = await meanwhile(async () => {
      refusal = await apply(file('releases', name), change).catch((error: unknown) => error);
    });
    expect(statuses).toEqual(new Set([200]));
    const { name: kind, message } = refusal as Error;
    expect([kind, message]).toEqual(['ApplyError', expect.stringMatching(reason)]);
    expect(message).toMatch(/The deployment before is in use again\.$/);
    expect(realpathSync(current())).toBe(before);
    expect(await robots()).toBe('# one\n');
  });

  it.each([
    ["'127.0.0.1:4001', '127.0.0.2:4001'", 'two addresses of this machine, 127.0.0.1 and 127.0.0.2'],
    ["'processes.invalid:4001'", 'service.nodes: processes.invalid has no address.'],
  ])('refuses processes at %s before it changes anything', async (nodes, reason) => {
    const before = readdirSync(file('state'));
    const change = (text: string) =>
      text
        .replace(/nodes: .*/, `nodes: [${nodes}]\n  protectedNetwork: true`)
        .replace(/( *)PRODUCT_NAME/, '$1TRUSTED_PROXIES: 127.0.0.1\n$&');
    await expect(apply(file('releases/one'), change)).rejects.toThrow(reason);
    expect(readdirSync(file('state'))).toEqual(before);
  });

  it('refuses a release with a damaged file before it changes anything', async () => {
    const damaged = writeRelease('damaged');
    writeFileSync(path.join(damaged, 'SHA256SUMS'), `${'0'.repeat(64)}  dist/index.html\n`);
    await expect(apply(damaged)).rejects.toThrow('The release is damaged: dist/index.html: FAILED');
    rmSync(damaged, { recursive: true });
  });
});
