/** @jest-environment node */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

const project = path.resolve(__dirname, '../..');
const { options } = ts.parseJsonConfigFileContent(
  ts.readConfigFile(path.join(project, 'tsconfig.json'), (file) => readFileSync(file, 'utf8')).config,
  { ...ts.sys, readDirectory: () => [] },
  project,
);
const known = ts.createModuleResolutionCache(project, (name) => name, options);

const serviceFolder = path.join(project, 'packages/service/src');

type Graph = ReadonlyMap<string, readonly string[]>;

/** Files and what they import, types included. */
function importsIn(folders: readonly string[]): Graph {
  const files = folders.flatMap((folder) =>
    readdirSync(path.join(project, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => path.join(project, folder, name)),
  );
  return new Map(
    files.map((file) => {
      const { importedFiles } = ts.preProcessFile(readFileSync(file, 'utf8'), true, true);
      const imports = importedFiles.flatMap(({ fileName }) => {
        const { resolvedModule } = ts.resolveModuleName(fileName, file, options, ts.sys, known);
        return resolvedModule === undefined ? [] : [path.resolve(resolvedModule.resolvedFileName)];
      });
      return [file, imports];
    }),
  );
}

/** One cycle for each import that closes one. */
function cyclesIn(graph: Graph): readonly string[] {
  const cycles: string[] = [];
  const done = new Set<string>();
  const follow = (file: string, trail: readonly string[]): void => {
    const start = trail.indexOf(file);
    if (start >= 0) {
      const cycle = [...trail.slice(start), file].map((one) => path.relative(project, one));
      cycles.push(cycle.join(' -> '));
      return;
    }
    if (done.has(file)) return;
    for (const next of graph.get(file) ?? []) follow(next, [...trail, file]);
    done.add(file);
  };
  for (const file of graph.keys()) follow(file, []);
  return cycles;
}

/** The folders that each folder imports from, except its parents and its subfolders. */
function foldersOf(graph: Graph): Graph {
  const folders = new Map<string, Set<string>>();
  const isIn = (folder: string, parent: string) => `${folder}${path.sep}`.startsWith(`${parent}${path.sep}`);
  for (const [file, imports] of graph) {
    const folder = path.dirname(file);
    const others = imports
      .filter((target) => graph.has(target))
      .map((target) => path.dirname(target))
      .filter((other) => !isIn(other, folder) && !isIn(folder, other));
    folders.set(folder, new Set([...(folders.get(folder) ?? []), ...others]));
  }
  return new Map(Array.from(folders, ([folder, others]) => [folder, [...others]]));
}

/** The files and folders of the service, from the base up: the layout in its README. */
function layoutOfService(): readonly string[] {
  const readme = readFileSync(path.join(project, 'packages/service/README.md'), 'utf8');
  const layout = readme.slice(readme.indexOf('## Layout'), readme.indexOf('## What it promises'));
  return [...layout.matchAll(/^ {4}(\S+(?: \S+)*) {2}/gm)].flatMap(([, names = '']) => names.split(' '));
}

/** Imports between entries of the layout that do not lead to an earlier one. */
function upwardImports(graph: Graph, layout: readonly string[]): readonly string[] {
  const entryOf = (file: string): string => {
    const [first = '', ...rest] = path.relative(serviceFolder, file).split(path.sep);
    return rest.length === 0 ? first : `${first}/`;
  };
  return [...graph].flatMap(([file, imports]) =>
    imports
      .filter((target) => graph.has(target) && entryOf(target) !== entryOf(file))
      .filter((target) => layout.indexOf(entryOf(target)) >= layout.indexOf(entryOf(file)))
      .map((target) => `${path.relative(project, file)} -> ${path.relative(project, target)}`),
  );
}

describe('imports', () => {
  const graph = importsIn(['src', ...['contract', 'service', 'local'].map((name) => `packages/${name}/src`)]);

  it.each([
    ['a type', 'packages/local/src/localEnvironment.ts', 'packages/local/src/openService.ts'],
    ['an alias', 'packages/service/src/http/contractRoutes.ts', 'packages/contract/src/document.ts'],
    ['a chunk', 'src/app/routes.ts', 'src/features/mfa/options/index.ts'],
  ])('are found, also through %s', (_what, from, to) => {
    expect(graph.get(path.join(project, from))).toContain(path.join(project, to));
  });

  it('are reported if they form a cycle', () => {
    const back = new Map([
      ['a', ['b']],
      ['b', ['c', 'a']],
      ['c', []],
    ]);
    expect(cyclesIn(back)).toHaveLength(1);
  });

  it('form no cycle, including types', () => {
    expect(cyclesIn(graph)).toEqual([]);
  });

  it.each([
    ['two folders that import each other', 'b', 1],
    ['a folder and its subfolder', 'a/sub', 0],
  ])('of folders are reported if they form a cycle: %s', (_what, other, cycles) => {
    const [first, second, third, fourth] = ['a/1', 'a/2', `${other}/1`, `${other}/2`];
    const back = new Map([
      [first, [third]],
      [second, []],
      [third, []],
      [fourth, [second]],
    ]);
    expect(cyclesIn(back)).toEqual([]);
    expect(cyclesIn(foldersOf(back))).toHaveLength(cycles);
  });

  it('form no cycle of folders', () => {
    expect(cyclesIn(foldersOf(graph))).toEqual([]);
  });

  describe('of the service', () => {
    const service = importsIn(['packages/service/src']);
    const layout = layoutOfService();

    it('are between files and folders that its README lists', () => {
      const present = readdirSync(serviceFolder, { withFileTypes: true })
        .filter((entry) => entry.isDirectory() || entry.name.endsWith('.ts'))
        .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name));
      expect([...layout].sort()).toEqual(present.sort());
    });

    it('lead to entries further up in that list', () => {
      expect(upwardImports(service, layout)).toEqual([]);
      expect(upwardImports(service, [...layout].reverse())).not.toEqual([]);
    });
  });
});
