/** @jest-environment node */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePorts } from '@vestibule/contract/testing/freePorts';
import { ask, navigation } from '@vestibule/local/testing/ask';
import { callScript, projectFolder, startScript } from './runScript';

// Packages are made and installed here. The limit only ends what hangs.
jest.setTimeout(600_000);

interface Manifest {
  readonly name: string;
  readonly bin?: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string>>;
}
const manifestOf = (name: string) =>
  JSON.parse(readFileSync(path.join(projectFolder, name, 'package.json'), 'utf8')) as unknown;
const folders = ['contract', 'service', 'client', 'local'].map((name) => `packages/${name}`);
const packages = folders.map((folder) => manifestOf(folder) as Manifest);
const commands = packages.flatMap(({ bin = {} }) => Object.keys(bin));
const modules = packages
  .flatMap(({ name, exports }) => Object.keys(exports).map((entry) => path.posix.join(name, entry)))
  .filter((entry) => path.extname(entry) === '');

const command = 'node_modules/@vestibule/local/dist/vestibuleLocal.js';
let folder: string;
let tarballs: readonly string[];

/** Another project has its own settings of npm; those of this one came with `npm run`. */
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_')));

/** What a program prints. @throws Error with all that it printed, if it fails. */
function run(program: string, args: readonly string[], cwd: string): string {
  const shell = process.platform === 'win32';
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, env, encoding: 'utf8', shell });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed:\n${stdout}${stderr}`);
  return stdout;
}

/** An empty folder in which the tarballs of the four packages were installed. */
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vestibule-packed-'));
  const build = 'scripts/setup/build.mjs';
  if ((await callScript(build, 'isBuildStale', projectFolder)) === true)
    await callScript(build, 'build', projectFolder, 'page');
  const workspaces = folders.map((name) => `--workspace=${name}`);
  run('npm', ['pack', '--silent', ...workspaces, `--pack-destination=${folder}`], projectFolder);
  tarballs = (await readdir(folder)).map((name) => `./${name}`);
  await writeFile(path.join(folder, 'package.json'), '{"private":true}');
  // The peer of `@vestibule/client/react`.
  const { react } = (manifestOf('.') as { readonly dependencies: { readonly react: string } }).dependencies;
  run(
    'npm',
    [
      ...['install', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'],
      ...[...tarballs, `react@${react}`],
    ],
    folder,
  );
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('publint finds nothing in the packages, not even a suggestion', () => {
  expect(tarballs).toHaveLength(packages.length);
  const publint = path.join(projectFolder, 'node_modules/publint/src/cli.js');
  for (const tarball of tarballs)
    expect(run(process.execPath, [publint, 'run', tarball, '--strict'], folder)).toContain('All good!');
});

test.each(commands)('npx starts the command %s', (name) => {
  expect(run('npx', ['--no', '--', name, '--help'], folder)).toContain(`${name} [options]`);
});

const typeRoots = path.join(projectFolder, 'node_modules/@types');
/** Types of JavaScript files, as another project checks them: those of the packages too. */
const compile = (files: readonly string[], options: readonly string[]): string =>
  run(
    process.execPath,
    [
      path.join(projectFolder, 'node_modules/typescript7/bin/tsc'),
      ...['--noEmit', '--checkJs', '--strict', '--typeRoots', typeRoots, '--types', 'node,react'],
      ...[...options, ...files],
    ],
    folder,
  );

test('each entry of a package is imported and required, and compilers and bundlers find its types', async () => {
  const names = modules.map((_module, index) => `entry${index}`);
  const print = `console.log([${names.join(', ')}].length);\n`;
  const imports = modules.map((module, index) => `import * as entry${index} from '${module}';\n`);
  await writeFile(path.join(folder, 'entries.mjs'), imports.join('') + print);
  const requires = modules.map((module, index) => `const entry${index} = require('${module}');\n`);
  await writeFile(path.join(folder, 'entries.cjs'), requires.join('') + print);
  const quietly = '--disable-warning=ExperimentalWarning';
  for (const file of ['entries.mjs', 'entries.cjs'])
    expect(run(process.execPath, [quietly, file], folder)).toBe(`${modules.length}\n`);
  compile(['entries.mjs', 'entries.cjs'], ['--module', 'nodenext']);
  compile(['entries.mjs'], ['--module', 'esnext', '--moduleResolution', 'bundler']);
});

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
  compile(['module.mjs'], ['--module', 'nodenext']);
  expect(run(process.execPath, ['module.mjs'], folder)).toBe('payments-local-session\n');
});
