import boundaries from 'eslint-plugin-boundaries';
import compat from 'eslint-plugin-compat';
import jest from 'eslint-plugin-jest';
import jsxA11y from 'eslint-plugin-jsx-a11y';
import prettier from 'eslint-config-prettier';
import reactHooks from 'eslint-plugin-react-hooks';
import testingLibrary from 'eslint-plugin-testing-library';
import globals from 'globals';
import tseslint from 'typescript-eslint';

/*
 * The rules of the project come first in this file, those of the plugins after them. What the project's rules are for:
 * docs/architecture.md.
 */
const layers = 'docs/architecture.md#layers';
const outside = 'Through a port of shared/ports: docs/architecture.md#principles';

/** Globals that compute and reach nothing outside: allowed everywhere. */
const pureGlobals = ['AbortController', 'Event', 'FormData', 'URL', 'URLSearchParams'];
/** Everything else that a browser or Node offers is for `shared/ports/browser`, the entry and the tests. */
const outsideGlobals = new Set([
  ...Object.keys({ ...globals.browser, ...globals.nodeBuiltin, ...globals.commonjs }),
  ...['globalThis', 'Date'],
]);
for (const name of pureGlobals) outsideGlobals.delete(name);

const sagaPackages = ['redux-saga', 'redux-saga/effects', 'typed-redux-saga'];
const routeHooks = ['useNavigate', 'useLocation', 'useParams', 'useSearchParams', 'useMatch', 'useRoutes'];
/** What only one kind of file may import. */
const kinds = {
  createSlice: {
    name: '@reduxjs/toolkit',
    importNames: ['createSlice', 'createReducer'],
    message: `Only *.slice.ts makes state: ${layers}`,
  },
  thunk: {
    name: '@reduxjs/toolkit',
    importNames: ['createAsyncThunk', 'createListenerMiddleware'],
    message: `Asynchronous work is sagas: ${layers}`,
  },
  saga: sagaPackages.map((name) => ({
    name,
    message: `Only *.saga.ts holds sagas: ${layers}`,
    allowTypeImports: true,
  })),
  reactRedux: { name: 'react-redux', message: `Only *.container.tsx meets the store: ${layers}` },
  routeHooks: {
    name: 'react-router-dom',
    importNames: routeHooks,
    message: `Only *.container.tsx uses route hooks: ${layers}`,
  },
};
const restrict = (...paths) => ({
  '@typescript-eslint/no-restricted-imports': ['error', { paths: [kinds.thunk, ...paths.flat()] }],
});

const to = (...types) => types.map((type) => ({ to: { element: { type } } }));
/** `index.ts` is the only entry of a feature for others. */
const through = (fileInternalPath, captured) => ({
  to: { element: { type: 'feature', fileInternalPath, ...(captured && { captured }) } },
});
const ownFeature = {
  to: { element: { type: 'feature', captured: { feature: '{{ from.element.captured.feature }}' } } },
};
/** Code that is loaded on demand, and texts, in any layer. */
const chunk = { to: { element: { type: 'shared', fileInternalPath: '{chunk,texts}.ts' } } };
const from = (type, captured) => ({ element: { type, ...(captured && { captured }) } });

const importsGoDown = {
  default: 'disallow',
  message: `Imports go down only, dev, app, features, shared, and through index.ts: ${layers}`,
  policies: [
    {
      from: from('app'),
      // Screen modules, most of which are chunks of their own, are not imported through the feature's index.ts, which the first bundle holds.
      allow: [
        ...to('app', 'shared', 'ports', 'api', 'ui'),
        through('feature.ts'),
        through('index.ts'),
        through('*/index.ts'),
      ],
    },
    // The laboratory shows every phase of every slice.
    { from: from('dev'), allow: to('dev', 'app', 'feature', 'shared', 'ports', 'api', 'ui') },
    { from: from('feature'), allow: [ownFeature, ...to('shared', 'ports', 'api', 'ui')] },
    {
      // Every other feature, also a new one.
      from: from('feature', { feature: '!(session|ui-dialogs)' }),
      allow: [through('index.ts', { feature: ['session', 'ui-dialogs'] })],
    },
    { from: from('shared'), allow: to('shared', 'ports', 'api', 'ui') },
    { from: from('api'), allow: [...to('api', 'ports'), chunk] },
    { from: from('ports'), allow: [...to('ports'), chunk] },
    { from: from('ui'), allow: [...to('ui'), chunk] },
  ],
};

const word = 'value=/\\p{L}{2}/u';
const spoken = 'JSXAttribute[name.name=/^(aria-label|aria-description|alt|title|placeholder|label|lead)$/]';
/** Text that a screen has of its own: between tags, or in an attribute that a person reads or hears. */
const ownSyntaxRules = [
  `JSXText[${word}]`,
  `:matches(JSXElement, JSXFragment) > JSXExpressionContainer > Literal[${word}]`,
  `:matches(JSXElement, JSXFragment) > JSXExpressionContainer > TemplateLiteral > TemplateElement[value.raw=/\\p{L}{2}/u]`,
  `${spoken} > Literal[${word}]`,
  `${spoken} > JSXExpressionContainer > Literal[${word}]`,
  `${spoken} > JSXExpressionContainer > TemplateLiteral > TemplateElement[value.raw=/\\p{L}{2}/u]`,
].map((selector) => ({ selector, message: `Texts are in the feature's *.messages.ts: ${layers}` }));

/** Of `src`. */
const layerRules = {
  'boundaries/dependencies': ['error', importsGoDown],
  'no-restricted-globals': ['error', ...[...outsideGlobals].map((name) => ({ name, message: outside }))],
  'no-restricted-properties': [
    'error',
    { object: 'Math', property: 'random', message: outside },
    { property: 'defaultView', message: outside },
  ],
  'max-lines': ['error', { max: 200, skipBlankLines: true, skipComments: true }],
  'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
  'no-restricted-exports': ['error', { restrictedNamedExports: ['default'] }],
  'no-restricted-syntax': [
    'error',
    { selector: 'ExportAllDeclaration', message: `index.ts lists its exports by name: ${layers}` },
    {
      selector: "JSXAttribute[name.name='dangerouslySetInnerHTML']",
      message: 'Text of the server is never HTML: docs/behaviour.md#errors',
    },
    ...ownSyntaxRules,
  ],
  ...restrict(kinds.createSlice, kinds.saga, kinds.reactRedux, kinds.routeHooks),
};

const noCommonFolders = {
  selector: 'Program',
  message: `No folder called utils, helpers or common: name it for what it holds. ${layers}`,
};

/** The rules of each folder and kind of file; a later one wins. */
const projectRules = [
  {
    files: ['src/**/*.{ts,tsx}'],
    plugins: { boundaries },
    settings: {
      'import/resolver': { typescript: { project: './tsconfig.json' } },
      'boundaries/include': ['src/**/*'],
      'boundaries/elements': [
        { type: 'dev', pattern: 'src/dev', partialMatch: false },
        { type: 'app', pattern: 'src/app', partialMatch: false },
        { type: 'feature', pattern: 'src/features/*', capture: ['feature'], partialMatch: false },
        { type: 'ports', pattern: 'src/shared/ports', partialMatch: false },
        { type: 'api', pattern: 'src/shared/api', partialMatch: false },
        { type: 'ui', pattern: 'src/shared/ui', partialMatch: false },
        { type: 'shared', pattern: 'src/shared', partialMatch: false },
      ],
    },
    rules: layerRules,
  },
  // Lists with an entry for each call or scenario.
  {
    files: ['src/shared/api/{decoders,liveApi}.ts', 'src/dev/lab/*Scenarios.ts', 'src/**/*.scenarios.ts'],
    rules: { 'max-lines': 'off', 'max-lines-per-function': 'off' },
  },
  {
    files: ['src/**/{utils,helpers,common}/**'],
    rules: { 'no-restricted-syntax': ['error', noCommonFolders] },
  },
  { files: ['src/**/*.slice.ts'], rules: restrict(kinds.saga, kinds.reactRedux, kinds.routeHooks) },
  {
    files: ['src/**/*.saga.ts', 'src/app/store.ts', 'src/dev/devtools/actionCauses.ts'],
    rules: restrict(kinds.createSlice, kinds.reactRedux, kinds.routeHooks),
  },
  {
    files: ['src/**/*.container.tsx', 'src/app/App.tsx'],
    rules: restrict(kinds.createSlice, kinds.saga),
  },
  // The entry hands the browser's own objects to the ports; it uses none itself.
  {
    files: [
      'src/shared/ports/browser/**',
      'src/dev/devtools/{timeTravelPage,readable}.ts',
      'src/index.ts',
      'src/start.tsx',
      'src/inline{English,Language,Login,Page}.ts',
    ],
    rules: { 'no-restricted-globals': 'off', 'no-restricted-properties': 'off' },
  },
  {
    // `process.env.NODE_ENV` keeps the scenarios out of a production build.
    files: ['src/features/*/feature.ts'],
    rules: {
      'no-restricted-globals': [
        'error',
        ...layerRules['no-restricted-globals'].slice(1).filter(({ name }) => name !== 'process'),
      ],
    },
  },
  {
    // A package is entered through its exports only, and imports go one way: contract, service, local. The client stands alone.
    // The workbench also measures the application.
    files: ['packages/**'],
    ignores: ['packages/workbench/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: ['@app/*', '@dev/*', '@features/*', '@shared/*'],
        },
      ],
    },
  },
  {
    files: ['packages/{client,contract}/src/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        { patterns: ['@vestibule/*', '@app/*', '@dev/*', '@features/*', '@shared/*'] },
      ],
    },
  },
  {
    files: ['packages/service/src/**'],
    rules: {
      'max-lines-per-function': ['error', { max: 80, skipBlankLines: true, skipComments: true }],
      // Capabilities add their properties to interfaces of others.
      '@typescript-eslint/no-empty-object-type': ['error', { allowInterfaces: 'always' }],
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            '@vestibule/service',
            '@vestibule/local',
            '@app/*',
            '@dev/*',
            '@features/*',
            '@shared/*',
          ],
        },
      ],
    },
  },
  {
    files: ['src/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        { patterns: ['@vestibule/service', '@vestibule/local', '**/packages/**'] },
      ],
    },
  },
];

export default tseslint.config(
  {
    ignores: [
      'dist',
      'packages/*/dist',
      'source-maps',
      'node_modules',
      '.local',
      'coverage',
      'packages/contract/src/schema.gen.ts',
      'test-results',
    ],
  },
  ...tseslint.configs.strictTypeChecked,
  ...tseslint.configs.stylisticTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        project: './tsconfig.json',
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
      // There are no enums, and these two ask for the type of every expression.
      '@typescript-eslint/no-unsafe-enum-assignment': 'off',
      '@typescript-eslint/no-unsafe-enum-comparison': 'off',
      'no-warning-comments': ['error', { terms: ['todo', 'fixme', 'xxx'] }],
      eqeqeq: 'error',
    },
  },
  ...projectRules,
  {
    // What runs in browsers, by the list "browserslist" of package.json.
    files: ['src/**', 'packages/client/src/**'],
    ignores: ['src/dev/**', 'packages/client/src/server.ts'],
    ...compat.configs['flat/recommended'],
  },
  {
    // Components and hooks only: these rules run the React compiler over every file that they are given.
    files: ['src/**/*.tsx', 'src/**/use*.ts', 'src/shared/contexts.ts'],
    plugins: { 'react-hooks': reactHooks },
    rules: reactHooks.configs.flat.recommended.rules,
  },
  { files: ['src/**/*.tsx'], ...jsxA11y.flatConfigs.strict },
  {
    files: ['{packages/*/,}__tests__/**/*.{ts,tsx}', 'packages/workbench/{faults,soak}/**'],
    ...jest.configs['flat/recommended'],
    settings: { jest: { globalAliases: { describe: ['describeService'] } } },
    rules: {
      ...jest.configs['flat/recommended'].rules,
      'jest/expect-expect': [
        'error',
        { assertFunctionNames: ['expect', 'expectSaga', 'fc.assert', 'expect*', 'assert*'] },
      ],
      'jest/no-standalone-expect': ['error', { additionalTestBlockFunctions: ['itWith'] }],
      '@typescript-eslint/unbound-method': 'off',
      // Slow, and about code that ships.
      '@typescript-eslint/no-deprecated': 'off',
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
    },
  },
  { files: ['packages/service/__tests__/support/testService.ts'], rules: { 'jest/no-export': 'off' } },
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
