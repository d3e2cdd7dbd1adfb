// @ts-check
import { readFileSync } from 'node:fs';

const sources = ['^src/', '^packages/[^/]+/src/'];
const names = ['client', 'contract', 'service', 'local'];

/** The sources of what a package exports, as a pattern. @param {string} name */
function exportsOf(name) {
  /** @type {{ exports: Record<string, string> }} */
  const { exports } = JSON.parse(readFileSync(`packages/${name}/package.json`, 'utf8'));
  const files = Object.values(exports).map((file) => file.replace('./dist/', 'src/').replace(/\.js$/, ''));
  return `^packages/${name}/(?:${files.join('|')})\\.ts$`;
}

const readme = readFileSync('packages/service/README.md', 'utf8');
const listed = [
  ...readme
    .slice(readme.indexOf('## Layout'), readme.indexOf('## What it promises'))
    .matchAll(/^ {4}(\S+(?: \S+)*) {2}/gm),
].flatMap(([, entries = '']) => entries.split(' '));

/** The folders of the capabilities that the layout does not list by name, as a pattern. */
const extensions = [
  ...readFileSync('packages/service/src/capabilities.ts', 'utf8').matchAll(
    /^import .* from '\.\/([^/']+)\//gm,
  ),
]
  .map(([, folder = '']) => folder)
  .filter((folder) => !listed.includes(`${folder}/`));
const extension = `(${extensions.join('|')})/`;

/** The files and folders of the service, from the base up: the layout in its README. */
const layout = listed.map((entry) => (entry === '<extension>/' ? extension : entry));

/** @param {readonly string[]} entries */
const inService = (entries) =>
  `^packages/service/src/(?:${entries.map((entry) => (entry.endsWith('/') ? entry : `${entry}$`)).join('|')})`;

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    { name: 'no cycle', severity: 'error', from: { path: sources }, to: { circular: true } },
    {
      name: 'no cycle of folders',
      severity: 'error',
      scope: 'folder',
      from: { path: sources },
      to: { circular: true },
    },
    ...names.flatMap((name) => [
      {
        name: `${name} is entered through its exports`,
        severity: /** @type {const} */ ('error'),
        from: { pathNot: `^packages/${name}/|^scripts/start.mjs$` },
        to: { path: `^packages/${name}/src/`, pathNot: exportsOf(name) },
      },
      {
        name: `the test support of ${name} is for tests`,
        severity: /** @type {const} */ ('error'),
        from: { path: sources },
        to: { path: `^packages/${name}/__tests__/` },
      },
    ]),
    {
      name: 'a manifest lists what its package imports',
      severity: 'error',
      from: {},
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['npm-peer'] },
    },
    {
      name: 'only itself imports the workbench',
      severity: 'error',
      from: { pathNot: '^packages/workbench/' },
      to: { path: '^packages/workbench/' },
    },
    {
      name: 'the layout in the README of the service, or its capabilities.ts, names each of its folders',
      severity: 'error',
      from: { path: '^packages/service/src/', pathNot: inService(layout) },
      to: {},
    },
    {
      name: 'no extension of the service imports another',
      severity: 'error',
      from: { path: inService([extension]) },
      to: { path: inService([extension]), pathNot: '^packages/service/src/$1/' },
    },
    ...layout.slice(0, -1).map((entry, index) => ({
      name: `${entry} of the service imports what is above it in the layout`,
      severity: /** @type {const} */ ('error'),
      from: { path: inService([entry]) },
      to: { path: inService(layout.slice(index + 1)) },
    })),
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^packages/[^/]+/dist/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
