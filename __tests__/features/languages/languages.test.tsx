/** Tests languages.saga and languages.slice. */
import { inject, type RootState } from '@app/rootReducer';
import type { MessageDescriptor } from '@lingui/core';
import { createAction, legacy_createStore } from '@reduxjs/toolkit';
import { dialogOpened } from '@features/ui-dialogs/dialogs.slice';
import { createChunk } from '@shared/chunk';
import { english, pageTexts } from '@shared/texts';
import { early } from '@features/languages/early';
import { languages } from '@features/languages/feature';
import { languageChosen, selectLanguage, type StateWithLanguages } from '@features/languages/languages.slice';
import { turnOffMessages } from '@features/mfa/turn-off/turnOff.messages';
import { act, screen } from '@testing-library/react';
import { fakeBrowser, type FakeDeps } from '../../support/fakeDeps';
import { openApp, settle } from '../../support/openApp';
import { renderApp, user } from '../../support/renderApp';

const left = (forms: object) => [['count', 'plural', forms]];
const spanish = {
  login: {
    'login/session.logout': ['Cerrar sesión'],
    'login/auth.signIn.title': ['Le damos la bienvenida'],
    'login/auth.signIn.username': ['Usuario'],
    'login/languages.label': ['Idioma'],
    'login/languages.error.title': ['Idioma'],
  },
  rest: {
    'mfa/turn-off.dialog.title': ['Desactivar la verificación'],
    'mfa/turn-off.dialog.confirmLabel': ['Desactivar'],
    greeting: ['Hola ', ['name']],
    left: left({ one: ['Queda ', '#'], many: ['Quedan ', '#'], other: ['Quedan ', '#'] }),
  },
};
const catalogue = {
  '/es.login': spanish.login,
  '/es.rest': spanish.rest,
  '/ar.login': { 'login/auth.signIn.title': ['مرحبًا'] },
  '/ar.rest': {},
  '/fa.login': {},
  '/fa.rest': { left: left({ other: ['#', ' مانده'] }) },
  // A page loads a file once, so each test of a failure has a language of its own.
  '/es-AR.login': spanish.login,
  '/es-AR.rest': spanish.rest,
  '/es-CL.login': spanish.login,
  '/es-CL.rest': spanish.rest,
  '/es-MX.login': spanish.login,
  '/es-MX.rest': spanish.rest,
} as const;

const loaded: string[] = [];
let broken = new Set<string>();
let held: Promise<void> | undefined;
const brokenOnce = new Set<string>();
const original = { fetch: globalThis.fetch };
beforeAll(() => {
  globalThis.fetch = jest.fn((path: keyof typeof catalogue) => {
    loaded.push(path);
    return Promise.resolve({
      ok: !brokenOnce.delete(path) && !broken.has(path) && path in catalogue,
      json: async () => {
        if (path === '/es-MX.rest') await held;
        return catalogue[path];
      },
    });
  }) as never;
  const block = document.createElement('script');
  block.type = 'application/json';
  block.id = 'languages';
  block.textContent = JSON.stringify(['/*.login']);
  document.body.append(block);
});
afterAll(() => {
  globalThis.fetch = original.fetch;
});
beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));
afterEach(() => {
  broken = new Set();
  held = undefined;
  loaded.length = 0;
});

const jumped = createAction<RootState>('test/jumped');
const config = { languages: ['en', 'es', 'ar'] };
const cookieName = ({ config: { cookies } }: FakeDeps) => `${cookies.prefix}-language`;
const start = async (deps: FakeDeps) => {
  await inject(languages.name, languages.early);
  await early.prepare(deps);
  return openApp(deps);
};
const shownIn = (app: Awaited<ReturnType<typeof start>>) =>
  selectLanguage(app.state() as unknown as StateWithLanguages);
const languagesOf = (app: Awaited<ReturnType<typeof start>>) =>
  (app.state() as unknown as StateWithLanguages).languages;
const page = () => [document.documentElement.lang, document.documentElement.dir];

it('the page is in the language of the cookie, and only what it shows is loaded', async () => {
  const browser = fakeBrowser();
  const deps = browser.tab({ config });
  deps.cookies.write(cookieName(deps), 'es');
  await renderApp(await start(deps));
  expect(screen.getByRole('heading')).toHaveTextContent('Le damos la bienvenida');
  expect(page()).toEqual(['es', 'ltr']);
  expect(loaded).toEqual(['/es.login']);
  // A text without a translation is English, and marked as such.
  expect(screen.getByText('Next')).toHaveAttribute('lang', 'en');
  expect(screen.getByText('Usuario')).not.toHaveAttribute('lang');
  expect(pageTexts.shown?.locale).toBe('es');
});

it('a choice changes the page at once, keeps what was typed, and is kept for a year', async () => {
  const deps = fakeBrowser().tab({ config });
  const app = await start(deps);
  await renderApp(app);
  await user.type(screen.getByRole('textbox'), 'ada');
  await user.selectOptions(screen.getByLabelText('Language'), 'Español');
  await settle();
  expect(screen.getByLabelText('Usuario')).toHaveValue('ada');
  expect(screen.getByLabelText('Idioma')).toHaveValue('es');
  expect(screen.getAllByRole('option').map((one) => one.lang)).toEqual(['en', 'es', 'ar']);
  expect(deps.cookies.readAll(cookieName(deps))).toEqual(['es']);
  await user.selectOptions(screen.getByLabelText('Idioma'), 'العربية');
  await settle();
  expect(screen.getByRole('heading')).toHaveTextContent('مرحبًا');
  expect(page()).toEqual(['ar', 'rtl']);
  await user.selectOptions(screen.getByLabelText('Language'), 'English');
  await settle();
  expect(screen.getByRole('heading')).toHaveTextContent('Welcome');
  expect(page()).toEqual(['en', 'ltr']);
});

it('an open dialog changes its language too, but not a text of the service or a name', async () => {
  const app = await start(fakeBrowser().tab({ config }));
  await renderApp(app);
  await loadScreens();
  const { title, confirmLabel } = turnOffMessages.dialog;
  await act(() =>
    app.send(
      dialogOpened({ id: 'x', kind: 'alert', title, confirmLabel, message: 'The service says {name}.' }),
    ),
  );
  const heading = () => screen.getByRole('heading', { level: 2, hidden: true });
  expect(heading()).toHaveTextContent('Turn Off 2-Step');
  await act(() => app.send(languageChosen('es')));
  expect(heading()).toHaveTextContent('Desactivar la verificación');
  expect(screen.getByText('Desactivar')).toBeInTheDocument();
  expect(screen.getByText('The service says {name}.')).toBeInTheDocument();
  await act(() => app.send(languageChosen('en')));
  expect(heading()).toHaveTextContent('Turn Off 2-Step');
});

it('a jump to a past state shows its language, its title and its direction', async () => {
  const deps = fakeBrowser().tab({ config });
  const app = await start(deps);
  const before = app.state();
  await app.send(languageChosen('ar'));
  const after = app.state();
  const store = legacy_createStore((state = before, action) =>
    jumped.match(action) ? action.payload : state,
  );
  await renderApp({ ...app, store: store as never });
  const jump = async (state: RootState) => {
    await act(async () => {
      store.dispatch(jumped(state));
      await settle();
    });
  };
  const seen = () => [...page(), document.title, screen.getByRole('heading').textContent];
  const inEnglish = ['en', 'ltr', 'Sign In – Payments', 'Welcome'];
  expect(seen()).toEqual(inEnglish);
  await jump(after);
  expect(seen()).toEqual(['ar', 'rtl', 'Sign In – Payments', 'مرحبًا']);
  await jump(before);
  expect(seen()).toEqual(inEnglish);
  // A recording may be of a page with other languages.
  await jump({ ...before, languages: { shown: 'fr', chosen: '?' } } as RootState);
  expect(seen()).toEqual(inEnglish);
});

it.each([
  ['of one tab', ['es', 'ar'], []],
  ['of one tab, when it is the language that is still shown', ['es', 'ar', 'en'], []],
  ['of another tab, while the first tab still loads its own', ['es'], ['ar']],
  ['of another tab, when it is the language that is still shown', ['es'], ['en']],
])('every tab shows the last choice: %s', async (_whose, first, then) => {
  const browser = fakeBrowser();
  const [one, other] = [await start(browser.tab({ config })), await start(browser.tab({ config }))];
  for (const chosen of first) one.dispatch(languageChosen(chosen));
  for (const chosen of then) other.dispatch(languageChosen(chosen));
  await settle();
  const last = [...first, ...then].at(-1);
  expect([one, other].map(languagesOf)).toEqual([
    { shown: last, chosen: last },
    { shown: last, chosen: last },
  ]);
});

/** Loads a screen in a chunk, and with it the texts of all screens. */
const loadScreens = (count = 1) =>
  act(() => Promise.all(Array.from({ length: count }, () => createChunk(() => Promise.resolve({})).load())));

const inShown = (text: MessageDescriptor) => (pageTexts.shown ?? english)._(text);

describe('texts of screens that load later', () => {
  async function startIn(chosen: string) {
    const deps = fakeBrowser().tab({ config: { languages: ['en', chosen] } });
    deps.cookies.write(cookieName(deps), chosen);
    return { deps, app: await start(deps) };
  }
  const greeting = { id: 'greeting', message: 'Hello {name}', values: { name: 'Ada' } };

  it('are requested a second time if the first request fails', async () => {
    await startIn('es-AR');
    brokenOnce.add('/es-AR.rest');
    await loadScreens();
    expect(inShown(greeting)).toBe('Hola Ada');
    expect(loaded.filter((path) => path === '/es-AR.rest')).toHaveLength(2);
  });

  it('make the whole page English if they do not load, with one dialog, and the choice is kept', async () => {
    const { deps, app } = await startIn('es-CL');
    await renderApp(app);
    broken.add('/es-CL.rest');
    await loadScreens(2);
    expect([page(), pageTexts.shown]).toEqual([['en', 'ltr'], english]);
    expect(screen.getByRole('heading', { level: 1, hidden: true })).toHaveTextContent('Welcome');
    expect(languagesOf(app)).toEqual({ shown: 'en', chosen: 'es-CL' });
    expect(deps.cookies.readAll(cookieName(deps))).toEqual(['es-CL']);
    expect(app.dialog()).toMatchObject({
      title: 'Language',
      message: 'We could not reach the service. Check your connection and try again.',
    });
    await user.click(screen.getByRole('button', { name: 'Ok' }));
    const requests = loaded.length;
    await loadScreens();
    expect([app.dialog(), loaded.length]).toEqual([undefined, requests]);
  });

  it('are complete when a language is shown that was chosen before they were needed', async () => {
    const app = await start(fakeBrowser().tab({ config: { languages: ['en', 'es-MX'] } }));
    let release: () => void = () => undefined;
    held = new Promise((resolve) => (release = resolve));
    app.dispatch(languageChosen('es-MX'));
    await loadScreens();
    expect([inShown(greeting), shownIn(app)]).toEqual(['Hello Ada', 'en']);
    release();
    await settle();
    expect([inShown(greeting), shownIn(app)]).toEqual(['Hola Ada', 'es-MX']);
  });

  it('have placeholders, plural forms, and the digits 0 to 9', async () => {
    const app = await start(fakeBrowser().tab({ config: { languages: ['en', 'es', 'fa'] } }));
    await loadScreens();
    const count = (number: number) => ({
      id: 'left',
      message: '{count, plural, one {# left} other {# left}}',
      values: { count: number },
    });
    await app.send(languageChosen('es'));
    expect([1, 7].map((number) => inShown(count(number)))).toEqual(['Queda 1', 'Quedan 7']);
    expect(inShown({ ...greeting, values: { name: '\\x41' } })).toBe('Hola \\x41');
    await app.send(languageChosen('fa'));
    expect(inShown(count(7))).toBe('7 مانده');
    await app.send(languageChosen('en'));
    expect([inShown(greeting), inShown(count(1))]).toEqual(['Hello Ada', '1 left']);
  });
});

it('a language that does not load is said, and the page stays as it was', async () => {
  const app = await start(fakeBrowser().tab({ config }));
  broken.add('/fr.login');
  await app.send(languageChosen('fr'));
  expect(app.dialog()).toMatchObject({
    title: 'Language',
    message: 'We could not reach the service. Check your connection and try again.',
  });
  expect(shownIn(app)).toBe('en');
});

it('is in use only where the configuration offers languages', () => {
  expect([{}, { languages: [] }, { languages: ['de'] }].map(languages.isConfigured)).toEqual([
    false,
    false,
    true,
  ]);
});
