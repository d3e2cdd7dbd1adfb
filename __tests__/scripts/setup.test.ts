/** @jest-environment node */
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { callScript } from './runScript';

// Each call is a process of its own; on a busy machine that takes a while. The limit only ends what hangs.
jest.setTimeout(180_000);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'vestibule-setup-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function write(name: string, content: string, secondsAgo = 0): void {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, content);
  const time = Date.now() / 1000 - secondsAgo;
  utimesSync(file, time, time);
}

describe('missing packages', () => {
  const lock = (packages: object): string => JSON.stringify({ packages });
  const gap = () => callScript('scripts/setup/packages.mjs', 'installationGap', folder);

  beforeEach(() => {
    write(
      'package-lock.json',
      lock({
        '': { name: 'vestibule', version: '1.0.0' },
        'node_modules/react': { version: '19.3.1' },
        'node_modules/only-on-a-mac': { version: '2.0.0', optional: true },
      }),
    );
  });

  test('all, in a fresh clone', async () => {
    expect(await gap()).toBe('no packages are installed yet');
  });

  test('none, if the locked versions are installed and only those of other platforms are not', async () => {
    write('node_modules/.package-lock.json', lock({ 'node_modules/react': { version: '19.3.1' } }));
    write('node_modules/react/package.json', '{}');
    expect(await gap()).toBeNull();
  });

  test('a package whose folder is gone', async () => {
    write('node_modules/.package-lock.json', lock({ 'node_modules/react': { version: '19.3.1' } }));
    expect(await gap()).toBe('react is missing');
  });

  test('all, after an installation that was interrupted', async () => {
    write('node_modules/.package-lock.json', lock({ 'node_modules/react': { version: '19.3.1' } }));
    write('node_modules/react/package.json', '{}');
    write('.local/installing', '');
    expect(await gap()).toBe('the last installation was interrupted');
  });

  test('a package with another version than the lock file’s, however new its folder', async () => {
    write('node_modules/.package-lock.json', lock({ 'node_modules/react': { version: '19.3.0' } }));
    expect(await gap()).toBe('react is not the locked version');
  });

  test('a package that was added to the lock file', async () => {
    write('node_modules/.package-lock.json', lock({}));
    expect(await gap()).toBe('react is not the locked version');
  });
});

describe('the version of Node.js', () => {
  const check = (version: string) =>
    callScript('scripts/setup/packages.mjs', 'checkNodeVersion', folder, version);

  beforeEach(() => {
    write('package.json', JSON.stringify({ engines: { node: '^20.19 || ^22.13 || >=24' } }));
  });

  test.each(['20.19.0', '20.20.1', '22.13.0', '22.23.1', '24.0.0', '25.1.0', '26.10.0'])(
    'may be %s',
    async (version) => {
      await expect(check(version)).resolves.toBeUndefined();
    },
  );

  test.each(['18.20.0', '20.18.3', '21.7.3', '22.12.0', '23.11.0'])('%s is refused', async (version) => {
    await expect(check(version)).rejects.toThrow(
      `Node.js ^20.19 || ^22.13 || >=24 is needed; this is ${version}.`,
    );
  });
});

describe('a stale production build', () => {
  const stale = () => callScript('scripts/setup/build.mjs', 'isBuildStale', folder);

  test('is one that does not exist', async () => {
    write('src/index.ts', '', 60);
    expect(await stale()).toBe(true);
  });

  test('is one that is older than any source, however deep', async () => {
    write('src/app/pages/deep.tsx', '', 60);
    for (const name of ['src/app/pages', 'src/app', 'src']) {
      utimesSync(path.join(folder, name), Date.now() / 1000 - 60, Date.now() / 1000 - 60);
    }
    write('dist/index.html', '', 30);
    expect(await stale()).toBe(false);
    write('src/app/pages/deep.tsx', 'changed');
    expect(await stale()).toBe(true);
  });
});
