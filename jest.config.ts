/**
 * @jest-config-loader ts-node
 * @jest-config-loader-options {"transpileOnly": true, "compilerOptions": {"module": "commonjs", "moduleResolution": "node10", "ignoreDeprecations": "6.0", "verbatimModuleSyntax": false, "allowJs": false}}
 */
import type { Config } from 'jest';
import { findPostgres } from './scripts/setup/programs.mjs';

/** Packages that ship ES modules only and therefore pass through the transform. */
const esmOnly = [
  'jose',
  '@redux-devtools/instrument',
  'lodash-es',
  'jsesc',
  'nanoid',
  'oauth4webapi',
  'oidc-provider',
  'openid-client',
];

const shared: Config = {
  // `npm test` has a temporary folder of its own, which would lose what jest knows of earlier runs.
  cacheDirectory: '<rootDir>/node_modules/.cache/jest',
  transform: {
    '^.+\\.(tsx?|m?js)$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2022',
          parser: { syntax: 'typescript', tsx: true },
          transform: { react: { runtime: 'automatic' } },
        },
      },
    ],
  },
  transformIgnorePatterns: [`/node_modules/(?!(?:${esmOnly.join('|')})/)`],
  moduleNameMapper: {
    // First: the aliases below would take a style sheet for a module.
    '\\.css$': 'identity-obj-proxy',
    '\\.svg$': 'identity-obj-proxy',
    '^@app/(.*)$': '<rootDir>/src/app/$1',
    '^@dev/(.*)$': '<rootDir>/src/dev/$1',
    '^@features/(.*)$': '<rootDir>/src/features/$1',
    '^@shared/(.*)$': '<rootDir>/src/shared/$1',
    '^@vestibule/contract/schema$': '<rootDir>/packages/contract/src/schema.gen.ts',
    '^@vestibule/(client|contract|service|local)/testing/(.*)$':
      '<rootDir>/packages/$1/__tests__/support/$2.ts',
    '^@vestibule/service/(.*)$': '<rootDir>/packages/service/src/$1.ts',
    '^@vestibule/(client|contract)/(.*)$': '<rootDir>/packages/$1/src/$2.ts',
    '^@vestibule/(client|service|local)$': '<rootDir>/packages/$1/src/index.ts',
  },
};

/** `*.long.test.ts` takes seconds for each test: for CI and `npm test -- --all`. */
const leftOut =
  process.env['TEST_LONG'] === '1' || process.env['TEST_ALL'] === '1' ? [] : ['\\.long\\.test\\.ts$'];

const hasPostgres = findPostgres() !== null || process.env['TEST_POSTGRES_URL'] !== undefined;

const service: Config = {
  ...shared,
  displayName: 'service',
  globalSetup: '<rootDir>/packages/service/__tests__/support/globalSetup.ts',
  globalTeardown: '<rootDir>/packages/service/__tests__/support/globalTeardown.ts',
  testEnvironment: 'node',
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/packages/client/', ...leftOut],
  testMatch: ['<rootDir>/packages/*/__tests__/**/*.test.ts', '<rootDir>/__tests__/scripts/**/*.test.ts'],
};

const config: Config = {
  // No test waits for real time; on a busy machine the work alone may take longer than jest's own 5 s.
  testTimeout: 180_000,
  projects: [
    {
      ...shared,
      displayName: 'app',
      testEnvironment: '<rootDir>/__tests__/support/jsdomEnvironment.ts',
      testEnvironmentOptions: { url: 'http://login.payments.localhost:4000/' },
      setupFilesAfterEnv: ['<rootDir>/__tests__/support/setupApp.ts'],
      testMatch: ['<rootDir>/{packages/client/,}__tests__/**/*.test.ts?(x)'],
      testPathIgnorePatterns: [
        '/node_modules/',
        '<rootDir>/__tests__/journeys/',
        '<rootDir>/__tests__/scripts/',
        ...leftOut,
      ],
    },
    ...(hasPostgres ? [service] : []),
  ],
};

export default config;
