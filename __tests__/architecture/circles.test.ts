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
function circlesIn(graph: Graph): readonly string[] {
  const circles: string[] = [];
  const done = new Set<string>();
  const follow = (file: string, trail: readonly string[]): void => {
    const start = trail.indexOf(file);
    if (start >= 0) {
      const circle = [...trail.slice(start), file].map((one) => path.relative(project, one));
      circles.push(circle.join(' -> '));
      return;
    }
    if (done.has(file)) return;
    for (const next of graph.get(file) ?? []) follow(next, [...trail, file]);
    done.add(file);
  };
  for (const file of graph.keys()) follow(file, []);
  return circles;
}

describe('imports', () => {
  const graph = importsIn(['src', 'service', 'local', 'contract']);

  it.each([
    ['a type', 'local/world.ts', 'local/openService.ts'],
    ['an alias', 'service/http/contractRoutes.ts', 'contract/document.ts'],
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
    expect(circlesIn(back)).toHaveLength(1);
  });

  it('form no cycle, including types', () => {
    expect(circlesIn(graph)).toEqual([]);
  });
});
