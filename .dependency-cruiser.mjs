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

/** The files and folders of the service, from the base up: the layout in its README. */
function layoutOfService() {
  const readme = readFileSync('packages/service/README.md', 'utf8');
  const layout = readme.slice(readme.indexOf('## Layout'), readme.indexOf('## What it promises'));
  return [...layout.matchAll(/^ {4}(\S+(?: \S+)*) {2}/gm)].flatMap(([, entries = '']) => entries.split(' '));
}
const layout = layoutOfService();

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
      name: 'the layout of the service names each of its folders',
      severity: 'error',
      from: { path: '^packages/service/src/', pathNot: inService(layout) },
      to: {},
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
