import boundaries from 'eslint-plugin-boundaries';
import jest from 'eslint-plugin-jest';
import jsxA11y from 'eslint-plugin-jsx-a11y';
import prettier from 'eslint-config-prettier';
import reactHooks from 'eslint-plugin-react-hooks';
import testingLibrary from 'eslint-plugin-testing-library';
import tseslint from 'typescript-eslint';

/** Only `shared/platform/browser` and the tests may touch the browser itself (docs: the house rules). */
const browserGlobals = [
  ...['globalThis', 'self', 'top', 'parent', 'frames', 'opener'],
  ...[
    'window',
    'document',
    'navigator',
    'location',
    'history',
    'localStorage',
    'sessionStorage',
    'indexedDB',
  ],
  ...[
    'fetch',
    'XMLHttpRequest',
    'BroadcastChannel',
    'crypto',
    'performance',
    'Date',
    'alert',
    'confirm',
    'prompt',
  ],
  ...[
    'setTimeout',
    'setInterval',
    'requestAnimationFrame',
    'queueMicrotask',
    'postMessage',
    'open',
    'console',
  ],
  ...[
    'WebSocket',
    'Worker',
    'SharedWorker',
    'Image',
    'Audio',
    'EventSource',
    'Notification',
    'MutationObserver',
  ],
  ...[
    'matchMedia',
    'getComputedStyle',
    'addEventListener',
    'removeEventListener',
    'dispatchEvent',
    'cookieStore',
  ],
  ...['caches', 'screen', 'visualViewport', 'innerWidth', 'innerHeight', 'scrollTo', 'requestIdleCallback'],
  ...['clearTimeout', 'clearInterval', 'cancelAnimationFrame', 'setImmediate', 'Buffer', 'require'],
];

const noDrawers = {
  selector: 'Program',
  message: 'No folder called utils, helpers or common: name it after what it holds.',
};

const sagaPackages = ['redux-saga', 'redux-saga/effects', 'typed-redux-saga'];
const routeHooks = ['useNavigate', 'useLocation', 'useParams', 'useSearchParams', 'useMatch', 'useRoutes'];
const kinds = {
  createSlice: {
    name: '@reduxjs/toolkit',
    importNames: ['createSlice', 'createReducer'],
    message: 'State is made in *.slice.ts.',
  },
  thunk: {
    name: '@reduxjs/toolkit',
    importNames: ['createAsyncThunk', 'createListenerMiddleware'],
    message: 'Asynchronous work is sagas.',
  },
  saga: sagaPackages.map((name) => ({ name, message: 'Sagas live in *.saga.ts.', allowTypeImports: true })),
  reactRedux: { name: 'react-redux', message: 'Only *.container.tsx meets the store.' },
  routeHooks: {
    name: 'react-router-dom',
    importNames: routeHooks,
    message: 'Only *.container.tsx uses route hooks.',
  },
};
const restrict = (...paths) => ({
  '@typescript-eslint/no-restricted-imports': ['error', { paths: [kinds.thunk, ...paths.flat()] }],
});

/** `index.ts` is the only door of a feature, and of each of its rooms. */
const through = (type, fileInternalPath) => ({ to: { element: { type, fileInternalPath } } });
const ownFeature = {
  to: { element: { type: 'feature', captured: { feature: '{{ from.element.captured.feature }}' } } },
};
const baseFeatures = {
  to: {
    element: {
      type: 'feature',
      captured: { feature: ['session', 'ui-dialogs'] },
      fileInternalPath: 'index.ts',
    },
  },
};

export default tseslint.config(
  {
    ignores: [
      'dist',
      'source-maps',
      'node_modules',
      '.local',
      'coverage',
      'contract/schema.gen.ts',
      'test-results',
    ],
  },
  ...tseslint.configs.strictTypeChecked,
  ...tseslint.configs.stylisticTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        projectService: {
          allowDefaultProject: [
            '*.js',
            '*.mjs',
            'scripts/*.mjs',
            'contract/*.mjs',
            'local/*.cjs',
            'scripts/*.cjs',
          ],
        },
        tsconfigRootDir: import.meta.dirname,
      },
    },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/consistent-type-definitions': 'off',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': [
        'error',
        { ignoreArrowShorthand: true, ignoreVoidOperator: true },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'no-warning-comments': ['error', { terms: ['todo', 'fixme', 'xxx'] }],
      eqeqeq: 'error',
    },
  },
  {
    files: ['src/**/*.{ts,tsx}'],
    plugins: { boundaries, 'react-hooks': reactHooks },
    settings: {
      'import/resolver': { typescript: { project: './tsconfig.json' } },
      'boundaries/include': ['src/**/*'],
      'boundaries/elements': [
        { type: 'app', pattern: 'src/app', partialMatch: false },
        { type: 'feature', pattern: 'src/features/*', capture: ['feature'], partialMatch: false },
        { type: 'platform', pattern: 'src/shared/platform', partialMatch: false },
        { type: 'api', pattern: 'src/shared/api', partialMatch: false },
        { type: 'ui', pattern: 'src/shared/ui', partialMatch: false },
        { type: 'shared', pattern: 'src/shared', partialMatch: false },
      ],
    },
    rules: {
      ...reactHooks.configs.flat.recommended.rules,
      'boundaries/dependencies': [
        'error',
        {
          default: 'disallow',
          message: 'Imports go down only: app, then features, then shared (docs: the house rules).',
          policies: [
            {
              from: { element: { type: 'app' } },
              allow: [
                ...['app', 'shared', 'platform', 'api', 'ui'].map((type) => ({ to: { element: { type } } })),
                through('feature', 'index.ts'),
                // Rooms, most of which are chunks of their own: not through the feature's index.ts, which the first bundle holds.
                through('feature', '*/index.ts'),
              ],
            },
            {
              from: { element: { type: 'feature' } },
              allow: [
                ownFeature,
                ...['shared', 'platform', 'api', 'ui'].map((type) => ({ to: { element: { type } } })),
              ],
            },
            {
              from: { element: { type: 'feature', captured: { feature: ['auth', 'mfa', 'password'] } } },
              allow: [baseFeatures],
            },
            {
              from: { element: { type: 'shared' } },
              allow: ['shared', 'platform', 'api', 'ui'].map((type) => ({ to: { element: { type } } })),
            },
            {
              from: { element: { type: 'api' } },
              allow: ['api', 'platform'].map((type) => ({ to: { element: { type } } })),
            },
            { from: { element: { type: 'platform' } }, allow: [{ to: { element: { type: 'platform' } } }] },
            { from: { element: { type: 'ui' } }, allow: [{ to: { element: { type: 'ui' } } }] },
          ],
        },
      ],
      'no-restricted-globals': [
        'error',
        ...browserGlobals.map((name) => ({ name, message: 'Through a port: shared/platform.' })),
      ],
      'no-restricted-properties': [
        'error',
        { object: 'Math', property: 'random', message: 'Through a port: shared/platform.' },
        { property: 'defaultView', message: 'Through a port: shared/platform.' },
      ],
      'max-lines': ['error', { max: 200, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
      'no-restricted-exports': ['error', { restrictedNamedExports: ['default'] }],
      'no-restricted-syntax': [
        'error',
        { selector: 'ExportAllDeclaration', message: 'index.ts lists its exports by name.' },
        { selector: "JSXAttribute[name.name='dangerouslySetInnerHTML']", message: 'Server text is text.' },
      ],
      ...restrict(kinds.createSlice, kinds.saga, kinds.reactRedux, kinds.routeHooks),
    },
  },
  { files: ['src/**/{utils,helpers,common}/**'], rules: { 'no-restricted-syntax': ['error', noDrawers] } },
  { files: ['src/**/*.slice.ts'], rules: restrict(kinds.saga, kinds.reactRedux, kinds.routeHooks) },
  {
    files: ['src/**/*.saga.ts', 'src/app/store.ts'],
    rules: restrict(kinds.createSlice, kinds.reactRedux, kinds.routeHooks),
  },
  { files: ['src/**/*.container.tsx', 'src/app/App.tsx'], rules: restrict(kinds.createSlice, kinds.saga) },
  { files: ['src/**/*.tsx'], ...jsxA11y.flatConfigs.strict },
  // The entry hands the browser's own objects to the ports; it uses none itself.
  {
    files: ['src/shared/platform/browser/**', 'src/index.tsx'],
    rules: { 'no-restricted-globals': 'off', 'no-restricted-properties': 'off' },
  },
  {
    // The application knows the service through contract/ only, and nobody behind it knows the application.
    files: ['service/**', 'local/**', 'contract/**'],
    rules: {
      'no-restricted-imports': ['error', { patterns: ['**/src/**', '@app/*', '@features/*', '@shared/*'] }],
    },
  },
  {
    files: ['src/**'],
    rules: { 'no-restricted-imports': ['error', { patterns: ['**/service/**', '**/local/**'] }] },
  },
  {
    files: ['__tests__/**/*.{ts,tsx}'],
    ...jest.configs['flat/recommended'],
    rules: {
      ...jest.configs['flat/recommended'].rules,
      'jest/expect-expect': [
        'error',
        { assertFunctionNames: ['expect', 'expectSaga', 'fc.assert', 'expect*', 'assert*'] },
      ],
      '@typescript-eslint/unbound-method': 'off',
    },
  },
  {
    files: ['__tests__/**/*.tsx'],
    ignores: ['__tests__/journeys/**'],
    ...testingLibrary.configs['flat/react'],
  },
  {
    files: ['__tests__/journeys/**'],
    rules: Object.fromEntries(
      Object.keys(jest.configs['flat/recommended'].rules).map((name) => [name, 'off']),
    ),
  },
  { files: ['**/*.{js,mjs,cjs}'], ...tseslint.configs.disableTypeChecked },
  {
    files: ['**/*.{js,cjs}'],
    rules: { '@typescript-eslint/no-require-imports': 'off' },
  },
  prettier,
);
