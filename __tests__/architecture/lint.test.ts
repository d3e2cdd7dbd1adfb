/** @jest-environment node */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

interface Snippet {
  readonly name: string;
  readonly path: string;
  readonly code: string;
  /** The rule that must bite; none for what is allowed. */
  readonly rule?: string;
}

interface Finding {
  readonly rule: string | null;
  readonly text: string;
}

const dependencies = 'boundaries/dependencies';
const restrictedImports = '@typescript-eslint/no-restricted-imports';

const forbidden: readonly Required<Snippet>[] = [
  {
    name: 'an import upwards, from shared to a feature',
    path: 'src/shared/routing/probe.ts',
    code: "import { decodeClaims } from '@features/session';\nexport const probe = decodeClaims;\n",
    rule: dependencies,
  },
  {
    name: 'an import upwards, from a feature to the application',
    path: 'src/features/auth/probe.ts',
    code: "import { rootReducer } from '@app/rootReducer';\nexport const probe = rootReducer;\n",
    rule: dependencies,
  },
  {
    name: 'an import upwards by a relative path',
    path: 'src/shared/sagas/probe.ts',
    code: "import { rootReducer } from '../../app/rootReducer';\nexport const probe = rootReducer;\n",
    rule: dependencies,
  },
  {
    name: 'an import upwards, from the ports to the rest of shared',
    path: 'src/shared/platform/probe.ts',
    code: "import { paths } from '../routing/paths';\nexport const probe = paths;\n",
    rule: dependencies,
  },
  {
    name: 'an import of types upwards',
    path: 'src/shared/routing/probe.ts',
    code: "import type { Claims } from '@features/session';\nexport type Probe = Claims;\n",
    rule: dependencies,
  },
  {
    name: 'an import from one feature to another of the same rank',
    path: 'src/features/mfa/probe.ts',
    code: "import { authReducer } from '@features/auth';\nexport const probe = authReducer;\n",
    rule: dependencies,
  },
  {
    name: 'an import from a base feature to one above it',
    path: 'src/features/session/probe.ts',
    code: "import { authReducer } from '@features/auth';\nexport const probe = authReducer;\n",
    rule: dependencies,
  },
  {
    name: 'an import from one base feature to the other',
    path: 'src/features/ui-dialogs/probe.ts',
    code: "import { decodeClaims } from '@features/session';\nexport const probe = decodeClaims;\n",
    rule: dependencies,
  },
  {
    name: 'an import past the index.ts of a feature, from another feature',
    path: 'src/features/auth/probe.ts',
    code: "import { decodeClaims } from '@features/session/claims';\nexport const probe = decodeClaims;\n",
    rule: dependencies,
  },
  {
    name: 'an import past the index.ts of a feature, from the application',
    path: 'src/app/flows/probe.saga.ts',
    code: "import { decodeClaims } from '@features/session/claims';\nexport const probe = decodeClaims;\n",
    rule: dependencies,
  },
  {
    name: 'createSlice outside *.slice.ts',
    path: 'src/features/auth/sign-in/probe.ts',
    code: "import { createSlice } from '@reduxjs/toolkit';\nexport const probe = createSlice;\n",
    rule: restrictedImports,
  },
  {
    name: 'createSlice in a saga',
    path: 'src/features/auth/sign-in/probe.saga.ts',
    code: "import { createSlice } from '@reduxjs/toolkit';\nexport const probe = createSlice;\n",
    rule: restrictedImports,
  },
  {
    name: 'createAsyncThunk anywhere, a slice included',
    path: 'src/features/auth/sign-in/probe.slice.ts',
    code: "import { createAsyncThunk } from '@reduxjs/toolkit';\nexport const probe = createAsyncThunk;\n",
    rule: restrictedImports,
  },
  ...['redux-saga', 'redux-saga/effects', 'typed-redux-saga'].map((library) => ({
    name: `${library} outside *.saga.ts`,
    path: 'src/features/auth/sign-in/probe.ts',
    code: `import { take } from '${library}';\nexport const probe = take;\n`,
    rule: restrictedImports,
  })),
  {
    name: 'redux-saga in a slice',
    path: 'src/features/auth/sign-in/probe.slice.ts',
    code: "import { take } from 'typed-redux-saga';\nexport const probe = take;\n",
    rule: restrictedImports,
  },
  {
    name: 'react-redux outside *.container.tsx',
    path: 'src/features/auth/sign-in/Probe.tsx',
    code: "import { useDispatch } from 'react-redux';\nexport const useProbe = useDispatch;\n",
    rule: restrictedImports,
  },
  {
    name: 'route hooks outside *.container.tsx',
    path: 'src/shared/ui/Probe.tsx',
    code: "import { useNavigate } from 'react-router-dom';\nexport const useProbe = useNavigate;\n",
    rule: restrictedImports,
  },
  ...(
    [
      ['window', 'window.top'],
      ['document', 'document.cookie'],
      ['navigator', 'navigator.onLine'],
      ['location', 'location.href'],
      ['history', 'history.length'],
      ['localStorage', 'localStorage.length'],
      ['sessionStorage', 'sessionStorage.length'],
      ['crypto', 'crypto.randomUUID()'],
      ['fetch', "fetch('/')"],
      ['Date', 'Date.now()'],
      ['a new Date', 'new Date()'],
      ['setTimeout', 'setTimeout(() => undefined, 1)'],
      ['setInterval', 'setInterval(() => undefined, 1)'],
      ['BroadcastChannel', "new BroadcastChannel('x')"],
      ['console', "console.log('x')"],
    ] as const
  ).map(([name, use]) => ({
    name: `${name} outside shared/platform/browser`,
    path: 'src/features/auth/sign-in/probe.saga.ts',
    code: `export const probe = () => ${use};\n`,
    rule: 'no-restricted-globals',
  })),
  ...['globalThis', 'self'].map((object) => ({
    name: `a browser global by way of ${object}`,
    path: 'src/features/auth/sign-in/probe.saga.ts',
    code: `export const probe = () => ${object}.location;\n`,
    rule: 'no-restricted-globals',
  })),
  ...['utils', 'helpers', 'common'].map((folder) => ({
    name: `a folder called ${folder}`,
    path: `src/features/auth/${folder}/probe.ts`,
    code: 'export const probe = 1;\n',
    rule: 'no-restricted-syntax',
  })),
  {
    name: 'export *',
    path: 'src/features/auth/index.ts',
    code: "export * from './auth.reducer';\n",
    rule: 'no-restricted-syntax',
  },
  {
    name: 'dangerouslySetInnerHTML',
    path: 'src/features/auth/sign-in/Probe.tsx',
    code: "export const Probe = () => <p dangerouslySetInnerHTML={{ __html: '<b>' }} />;\n",
    rule: 'no-restricted-syntax',
  },
  {
    name: 'a default export',
    path: 'src/features/auth/sign-in/probe.ts',
    code: 'const probe = 1;\nexport { probe as default };\n',
    rule: 'no-restricted-exports',
  },
  {
    name: 'a file of more than 200 lines',
    path: 'src/features/auth/sign-in/probe.ts',
    code: Array.from(
      { length: 201 },
      (_, line) => `export const probe${String(line)} = ${String(line)};\n`,
    ).join(''),
    rule: 'max-lines',
  },
  {
    name: 'a function of more than 60 lines',
    path: 'src/features/auth/sign-in/probe.ts',
    code: `export function probe(list: number[]) {\n${'  list.push(1);\n'.repeat(60)}}\n`,
    rule: 'max-lines-per-function',
  },
  {
    name: 'a note that something is still to be done',
    path: 'src/features/auth/sign-in/probe.ts',
    code: '// TODO: later\nexport const probe = 1;\n',
    rule: 'no-warning-comments',
  },
];

const allowed: readonly Snippet[] = [
  {
    name: 'a feature above a base feature, through its index.ts',
    path: 'src/features/password/probe.ts',
    code: "import { decodeClaims } from '@features/session';\nexport const probe = decodeClaims;\n",
  },
  {
    name: 'the application over the features, through their index.ts',
    path: 'src/app/flows/probe.saga.ts',
    code: "import { decodeClaims } from '@features/session';\nexport const probe = decodeClaims;\n",
  },
  {
    name: 'a slice',
    path: 'src/features/auth/sign-in/probe.slice.ts',
    code: "import { createSlice } from '@reduxjs/toolkit';\nexport const probe = createSlice;\n",
  },
  {
    name: 'a saga',
    path: 'src/features/auth/sign-in/probe.saga.ts',
    code: "import { take } from 'typed-redux-saga';\nexport const probe = take;\n",
  },
  {
    name: 'a container',
    path: 'src/features/auth/sign-in/Probe.container.tsx',
    code: "import { useDispatch } from 'react-redux';\nexport const useProbe = useDispatch;\n",
  },
  {
    name: 'the browser in its ports',
    path: 'src/shared/platform/browser/probe.ts',
    code: 'export const probe = () => [window.name, Date.now()];\n',
  },
];

/** One process for all of them: it takes as long as one snippet. */
function lint(snippets: readonly Snippet[]): readonly (readonly Finding[])[] {
  const { stdout, stderr, status } = spawnSync(process.execPath, [join(__dirname, 'lintSnippets.mjs')], {
    input: JSON.stringify(snippets),
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as readonly (readonly Finding[])[];
}

let findings: readonly (readonly Finding[])[] = [];
beforeAll(() => {
  findings = lint([...forbidden, ...allowed]);
}, 120_000);

describe('the linter stops', () => {
  it.each(forbidden.map((snippet, index) => ({ ...snippet, index })))('$name', ({ rule, index }) => {
    expect(findings[index]?.map((finding) => finding.rule)).toContain(rule);
  });
});

describe('the linter lets pass', () => {
  it.each(allowed.map((snippet, index) => ({ ...snippet, index })))('$name', ({ index }) => {
    expect(findings[forbidden.length + index]).toEqual([]);
  });
});
