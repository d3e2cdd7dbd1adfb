/** @jest-environment node */
import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePorts } from '@vestibule/contract/testing/freePorts';
import { ask, navigation } from '@vestibule/local/testing/ask';
import { callScript, projectFolder, startScript } from './runScript';

// Packages are made and installed here. The limit only ends what hangs.
jest.setTimeout(600_000);

const command = 'node_modules/@vestibule/local/dist/vestibuleLocal.js';
let folder: string;

/** Another project has its own settings of npm; those of this one came with `npm run`. */
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_')));

const run = (program: string, args: readonly string[], cwd: string): string =>
  execFileSync(program, args, { cwd, env, encoding: 'utf8', shell: process.platform === 'win32' });

/** An empty folder in which the tarballs of the four packages were installed. */
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vestibule-packed-'));
  const build = 'scripts/setup/build.mjs';
  if ((await callScript(build, 'isBuildStale', projectFolder)) === true)
    await callScript(build, 'build', projectFolder, 'page');
  for (const name of ['contract', 'service', 'client', 'local'])
    run(
      'npm',
      ['pack', '--silent', `--workspace=@vestibule/${name}`, `--pack-destination=${folder}`],
      projectFolder,
    );
  const tarballs = (await readdir(folder)).map((name) => `./${name}`);
  await writeFile(path.join(folder, 'package.json'), '{"private":true}');
  run(
    'npm',
    ['install', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error', ...tarballs],
    folder,
  );
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('vestibule-local serves the page and signs in a ready-made account', async () => {
  const [port = 0] = await freePorts(1);
  const { child, ended, printed } = startScript(command, ['--port', String(port)], {}, folder);
  try {
    await printed(`http://payments.localhost:${port}`);
    const page = await ask(`http://login.payments.localhost:${port}/login`, { headers: navigation });
    expect([page.status, page.text]).toStrictEqual([
      200,
      expect.stringContaining(`"serviceUrl":"http://api.payments.localhost:${port}"`),
    ]);
    const [asset = ''] = /\/assets\/main\.[^"]+\.js/.exec(page.text) ?? [];
    expect((await ask(`http://login.payments.localhost:${port}${asset}`)).status).toBe(200);
    expect((await ask(`http://ledger.payments.localhost:${port}/local/page.css`)).status).toBe(200);
    const signedIn = await ask(`http://api.payments.localhost:${port}/auth/v1/token`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ username: 'ada@payments.example', method: 'basic', password: 'Front-door7' }),
    });
    expect([signedIn.status, signedIn.text]).toStrictEqual([200, expect.stringContaining('"refresh"')]);
    child.kill('SIGINT');
    expect(await ended).toMatchObject({ code: 0 });
    expect(await readdir(path.join(folder, '.vestibule'))).toStrictEqual([String(port)]);
  } finally {
    child.kill('SIGKILL');
  }
});

test('vestibule-local prints its options, and rejects others', async () => {
  const { output } = await startScript(command, ['--help'], {}, folder).ended;
  for (const option of ['--port', '--fresh', '--application', '--service-url', '.vestibule/'])
    expect(output).toContain(option);
  const { code, output: refusal } = await startScript(command, ['--prodution'], {}, folder).ended;
  expect([code, refusal]).toStrictEqual([1, expect.stringContaining("Unknown option '--prodution'")]);
});

const importer = `// @ts-check
import { createLocalEnvironment } from '@vestibule/local';

const environment = await createLocalEnvironment({
  accounts: [{ username: 'zoe@orders.example', personas: { orders: [{ applicationUrl: 'http://orders.localhost/' }] } }],
});
const [session] = await environment.signInAs('zoe@orders.example');
console.log(session?.name);
await environment.close();

/** What cannot be used with a service of a team is missing in the types. */
export async function withOwnService() {
  const { origins, ...others } = await createLocalEnvironment({ serviceUrl: 'http://localhost:8080' });
  // @ts-expect-error
  others.signInAs('zoe@orders.example');
  return origins.app;
}
`;

test('a module of another project creates an environment, and its compiler finds the types', async () => {
  await writeFile(path.join(folder, 'module.mjs'), importer);
  const types = path.join(projectFolder, 'node_modules/@types');
  const compiler = path.join(projectFolder, 'node_modules/typescript7/bin/tsc');
  const options = [
    '--noEmit',
    '--checkJs',
    '--strict',
    '--module',
    'nodenext',
    '--typeRoots',
    types,
    '--types',
    'node',
  ];
  run(process.execPath, [compiler, ...options, 'module.mjs'], folder);
  expect(run(process.execPath, ['module.mjs'], folder)).toBe('payments-local-session\n');
});
