/** @jest-environment node */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** What it is, where it would be, and its code. */
type Snippet = readonly [name: string, path: string, code: string];

interface Finding {
  readonly rule: string | null;
  readonly text: string;
}

const importing = (name: string, from: string) =>
  `import { ${name} } from '${from}';\nexport const probe = ${name};\n`;
const importingType = (name: string, from: string) =>
  `import type { ${name} } from '${from}';\nexport type Probe = ${name};\n`;
const reach = (name: string, path: string, what: string, from: string): Snippet => [
  name,
  `src/${path}`,
  importing(what, from),
];
const using = (expression: string) => `export const probe = () => ${expression};\n`;
const linesOf = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => line(index)).join('');

const signIn = 'src/features/auth/sign-in';
const upwards: readonly Snippet[] = [
  ['from shared to a feature', 'src/shared/routing/probe.ts', importing('decodeClaims', '@features/session')],
  reach('from a feature to the application', 'features/auth/probe.ts', 'rootReducer', '@app/rootReducer'),
  ['by a relative path', 'src/shared/sagas/probe.ts', importing('rootReducer', '../../app/rootReducer')],
  reach(
    'from the ports to the rest of shared',
    'shared/ports/probe.ts',
    'locationChanged',
    '../routing/location.slice',
  ),
  ['of types', 'src/shared/routing/probe.ts', importingType('Claims', '@features/session')],
  reach(
    'from one feature to another of the same rank',
    'features/mfa/probe.ts',
    'authReducer',
    '@features/auth',
  ),
  reach('from a base feature to one above it', 'features/session/probe.ts', 'authReducer', '@features/auth'),
  reach(
    'from one base feature to the other',
    'features/ui-dialogs/probe.ts',
    'decodeClaims',
    '@features/session',
  ),
  reach(
    'past the index.ts of a feature, from another one',
    'features/auth/probe.ts',
    'decodeClaims',
    '@features/session/claims',
  ),
  reach(
    'past the index.ts of a feature, from the application',
    'app/flows/probe.saga.ts',
    'decodeClaims',
    '@features/session/claims',
  ),
];

const ofAnotherKind: readonly Snippet[] = [
  reach(
    'createSlice in a file without a kind',
    'features/auth/sign-in/probe.ts',
    'createSlice',
    '@reduxjs/toolkit',
  ),
  ['createSlice in a saga', `${signIn}/probe.saga.ts`, importing('createSlice', '@reduxjs/toolkit')],
  reach(
    'createAsyncThunk, in a slice too',
    'features/auth/sign-in/probe.slice.ts',
    'createAsyncThunk',
    '@reduxjs/toolkit',
  ),
  ...['redux-saga', 'redux-saga/effects', 'typed-redux-saga'].map((library): Snippet => [
    `${library} outside *.saga.ts`,
    `${signIn}/probe.ts`,
    importing('take', library),
  ]),
  ['redux-saga in a slice', `${signIn}/probe.slice.ts`, importing('take', 'typed-redux-saga')],
  ['react-redux outside *.container.tsx', `${signIn}/Probe.tsx`, importing('useDispatch', 'react-redux')],
  reach('route hooks outside *.container.tsx', 'shared/ui/Probe.tsx', 'useNavigate', 'react-router-dom'),
];

const browserUses: readonly Snippet[] = [
  ...['window.top', 'document.cookie', 'navigator.onLine', 'location.href', 'history.length', "fetch('/')"],
  ...['localStorage.length', 'sessionStorage.length', 'indexedDB', 'caches', 'cookieStore'],
  ...['crypto.randomUUID()', 'Date.now()', 'new Date()', 'performance.now()', "new BroadcastChannel('x')"],
  ...['setTimeout(() => undefined, 1)', 'setInterval(() => undefined, 1)', 'queueMicrotask(() => undefined)'],
  ...["console.log('x')", "alert('x')", "open('/')", 'globalThis.location', 'self.location', 'Buffer'],
].map((use) => [use, `${signIn}/probe.saga.ts`, using(use)]);

/** By the rule that must report it. */
const forbidden: Readonly<Record<string, readonly Snippet[]>> = {
  'boundaries/dependencies': upwards,
  '@typescript-eslint/no-restricted-imports': ofAnotherKind,
  'no-restricted-globals': browserUses,
  'no-restricted-properties': [
    ['Math.random', `${signIn}/probe.saga.ts`, using('Math.random()')],
    ['the window of a document', `${signIn}/Probe.tsx`, using('probe.ownerDocument.defaultView')],
  ],
  'no-restricted-syntax': [
    ...['utils', 'helpers', 'common'].map((folder): Snippet => [
      `a folder called ${folder}`,
      `src/features/auth/${folder}/probe.ts`,
      'export const probe = 1;\n',
    ]),
    ['export *', 'src/features/auth/index.ts', "export * from './auth.reducer';\n"],
    [
      'dangerouslySetInnerHTML',
      `${signIn}/Probe.tsx`,
      "export const Probe = () => <p dangerouslySetInnerHTML={{ __html: '<b>' }} />;\n",
    ],
    ...[
      '<p>Sign in here</p>',
      '<p>{`Hello`}</p>',
      "<p>{'Hello'}</p>",
      '<img alt="A cat" />',
      "<Button label={'Press'} />",
    ].map((words): Snippet => [
      `words of its own: ${words}`,
      `${signIn}/Probe.tsx`,
      `export const Probe = () => ${words};\n`,
    ]),
  ],
  'no-restricted-exports': [
    ['a default export', `${signIn}/probe.ts`, 'const probe = 1;\nexport { probe as default };\n'],
  ],
  'max-lines': [
    [
      'a file of more than 200 lines',
      `${signIn}/probe.ts`,
      linesOf(201, (index) => `export const probe${String(index)} = 1;\n`),
    ],
  ],
  'max-lines-per-function': [
    [
      'a function of more than 60 lines',
      `${signIn}/probe.ts`,
      `export function probe(list: number[]) {\n${linesOf(60, () => '  list.push(1);\n')}}\n`,
    ],
  ],
  'no-warning-comments': [
    ['a TODO comment', `${signIn}/probe.ts`, '// TODO: later\nexport const probe = 1;\n'],
  ],
};

const allowed: readonly Snippet[] = [
  ...['src/features/password/probe.ts', 'src/features/new/probe.ts', 'src/app/flows/probe.saga.ts'].map(
    (path): Snippet => [
      `a base feature through its index.ts, in ${path}`,
      path,
      importing('decodeClaims', '@features/session'),
    ],
  ),
  ['a slice', `${signIn}/probe.slice.ts`, importing('createSlice', '@reduxjs/toolkit')],
  ['a saga', `${signIn}/probe.saga.ts`, importing('take', 'typed-redux-saga')],
  ['a container', `${signIn}/Probe.container.tsx`, importing('useDispatch', 'react-redux')],
  ['the browser in its ports', 'src/shared/ports/browser/probe.ts', using('[window.name, Date.now()]')],
  ['a type of the browser', `${signIn}/probe.ts`, 'export type Probe = Storage | HTMLElement;\n'],
  ['what only computes', `${signIn}/probe.ts`, using("[new URL('/', 'http://x'), encodeURIComponent('/')]")],
];

/** One process for all of them: it takes as long as one snippet. */
function lint(snippets: readonly Snippet[]): readonly (readonly Finding[])[] {
  const { stdout, stderr, status } = spawnSync(process.execPath, [join(__dirname, 'lintSnippets.mjs')], {
    input: JSON.stringify(snippets.map(([, path, code]) => ({ path, code }))),
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as readonly (readonly Finding[])[];
}

const stopped = Object.entries(forbidden).flatMap(([rule, snippets]) =>
  snippets.map((snippet) => ({ rule, name: snippet[0], snippet })),
);
let findings: readonly (readonly Finding[])[] = [];
beforeAll(() => {
  findings = lint([...stopped.map(({ snippet }) => snippet), ...allowed]);
}, 120_000);

describe('the linter rejects', () => {
  it.each(stopped.map((one, index) => ({ ...one, index })))('$rule: $name', ({ rule, index }) => {
    expect(findings[index]?.map((finding) => finding.rule)).toContain(rule);
  });
});

describe('the linter accepts', () => {
  it.each(allowed.map(([name], index) => ({ name, index })))('$name', ({ index }) => {
    expect(findings[stopped.length + index]).toEqual([]);
  });
});
