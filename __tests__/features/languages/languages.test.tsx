/** Tests languages.saga and languages.slice. */
import { inject } from '@app/rootReducer';
import { dialogOpened } from '@features/ui-dialogs/dialogs.slice';
import { createChunk } from '@shared/chunk';
import { parts, texts, translations } from '@shared/texts';
import { early } from '@features/languages/early';
import { languages } from '@features/languages/feature';
import { languageChosen, selectLanguage, type StateWithLanguages } from '@features/languages/languages.slice';
import { sessionMessages } from '@features/session';
import { act, screen } from '@testing-library/react';
import { fakeBrowser, type FakeDeps } from '../../support/fakeDeps';
import { openApp, settle } from '../../support/openApp';
import { renderApp, user } from '../../support/renderApp';

const catalogue = {
  '/es.login': {
    texts: {
      'login/session': { logout: 'Cerrar sesión' },
      'login/auth': { 'signIn.title': 'Le damos la bienvenida', 'signIn.username': 'Usuario' },
      'login/languages': { label: 'Idioma', 'error.title': 'Idioma' },
    },
    others: ['other', 'mfa', 'slow', 'lost', 'held', 'meanwhile', 'unused'],
  },
  '/es.mfa': {
    texts: {
      'mfa/turn-off': { 'dialog.title': 'Desactivar la verificación', 'dialog.confirmLabel': 'Desactivar' },
    },
  },
  '/es.other': {
    texts: {
      other: {
        greeting: ['Hola ', ['0']],
        'count.left': [
          ['0', 'plural', { one: ['Queda ', '#'], many: ['Quedan ', '#'], other: ['Quedan ', '#'] }],
        ],
      },
    },
  },
  '/es.slow': { texts: { slow: { greeting: 'Hola' } } },
  '/es.lost': { texts: { lost: { greeting: 'Hola' } } },
  '/es.held': { texts: { held: { greeting: 'Hola' } } },
  '/es.meanwhile': { texts: { meanwhile: { greeting: 'Hola' } } },
  '/ar.login': { texts: { 'login/auth': { 'signIn.title': 'مرحبًا' } } },
  '/fa.login': { texts: {}, others: ['digits'] },
  '/fa.digits': { texts: { digits: { left: [['0', 'plural', { other: ['#', ' مانده'] }]] } } },
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
        if (path === '/es.held') await held;
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
  loaded.length = 0;
});

const config = { languages: ['en', 'es', 'ar'] };
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
  deps.cookies.write(`${deps.config.cookies.prefix}-language`, 'es');
  await renderApp(await start(deps));
  expect(screen.getByRole('heading')).toHaveTextContent('Le damos la bienvenida');
  expect(page()).toEqual(['es', 'ltr']);
  expect(loaded).toEqual(['/es.login']);
  // A text without a translation is English.
  expect(sessionMessages.back).toBe('Back');
  expect(translations.language).toBe('es');
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
  expect(deps.cookies.readAll(`${deps.config.cookies.prefix}-language`)).toEqual(['es']);
  await user.selectOptions(screen.getByLabelText('Idioma'), 'العربية');
  await settle();
  expect(screen.getByRole('heading')).toHaveTextContent('مرحبًا');
  expect(page()).toEqual(['ar', 'rtl']);
  await user.selectOptions(screen.getByLabelText('Language'), 'English');
  await settle();
  expect(screen.getByRole('heading')).toHaveTextContent('Welcome');
  expect(page()).toEqual(['en', 'ltr']);
});

it('a message that is shown changes its language too, but not a text of the service', async () => {
  const app = await start(fakeBrowser().tab({ config }));
  const open = (id: string, texts: object) =>
    app.send(dialogOpened({ id, kind: 'alert', title: '', message: '', confirmLabel: 'Ok', ...texts }));
  const { turnOffMessages } = await import('@features/mfa/turn-off/turnOff.messages');
  const { title, confirmLabel } = turnOffMessages.dialog;
  await open('x', { title, confirmLabel, message: 'The service says Back.' });
  expect([title, confirmLabel]).toEqual(['Turn Off 2-Step', 'Turn Off 2-Step']);
  await app.send(languageChosen('es'));
  const spanish = { title: 'Desactivar la verificación', confirmLabel: 'Desactivar' };
  expect(app.dialog()).toMatchObject({ ...spanish, message: 'The service says Back.' });
  await app.send(languageChosen('en'));
  expect(app.dialog()).toMatchObject({ title, confirmLabel });
});

it.each([
  ['of one tab', ['es', 'ar'], []],
  ['of one tab, when it is the language that is still shown', ['es', 'ar', 'en'], []],
  ['of another tab, while the first tab still loads its own', ['es'], ['ar']],
  ['of another tab, when it is the language that is still shown', ['es'], ['en']],
])('every tab shows the last choice: %s', async (_whose, first, then) => {
  const browser = fakeBrowser();
  const [one, other] = [await start(browser.tab({ config })), await start(browser.tab({ config }))];
  for (const language of first) one.dispatch(languageChosen(language));
  for (const language of then) other.dispatch(languageChosen(language));
  await settle();
  const last = [...first, ...then].at(-1);
  expect([one, other].map(languagesOf)).toEqual([
    { shown: last, chosen: last },
    { shown: last, chosen: last },
  ]);
});

describe('texts of code that loads later', () => {
  const late = (part: string) =>
    act(() => createChunk(() => Promise.resolve(texts(part, { greeting: 'Hello' }))).load());
  afterEach(() => {
    for (const part of ['slow', 'lost', 'held', 'meanwhile', 'more']) parts.delete(part);
  });
  async function startInSpanish() {
    const deps = fakeBrowser().tab({ config });
    deps.cookies.write(`${deps.config.cookies.prefix}-language`, 'es');
    const app = await start(deps);
    return { deps, app };
  }

  it('are requested a second time if the first request fails', async () => {
    await startInSpanish();
    brokenOnce.add('/es.slow');
    expect(await late('slow')).toEqual({ greeting: 'Hola' });
    expect(loaded.filter((path) => path === '/es.slow')).toHaveLength(2);
  });

  it('make the whole page English if they do not load, with one dialog, and the choice is kept', async () => {
    const { deps, app } = await startInSpanish();
    await renderApp(app);
    broken.add('/es.lost');
    expect(await late('lost')).toEqual({ greeting: 'Hello' });
    expect([page(), translations.language]).toEqual([['en', 'ltr'], 'en']);
    expect(screen.getByRole('heading', { level: 1, hidden: true })).toHaveTextContent('Welcome');
    expect(languagesOf(app)).toEqual({ shown: 'en', chosen: 'es' });
    expect(deps.cookies.readAll(`${deps.config.cookies.prefix}-language`)).toEqual(['es']);
    expect(app.dialog()).toMatchObject({
      title: 'Language',
      message: 'We could not reach the service. Check your connection and try again.',
    });
    await user.click(screen.getByRole('button', { name: 'Ok' }));
    const requests = loaded.length;
    expect(await late('more')).toEqual({ greeting: 'Hello' });
    expect([app.dialog(), loaded.length]).toEqual([undefined, requests]);
  });

  it('are shown in a chosen language if they are declared while it loads', async () => {
    const app = await start(fakeBrowser().tab({ config }));
    let release: () => void = () => undefined;
    held = new Promise((resolve) => (release = resolve));
    await late('held');
    await app.send(languageChosen('es'));
    const words = await late('meanwhile');
    expect([words.greeting, shownIn(app)]).toEqual(['Hello', 'en']);
    release();
    await settle();
    expect([words.greeting, shownIn(app)]).toEqual(['Hola', 'es']);
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

it('a chunk shows its texts in the language, with placeholders and plural forms', async () => {
  const deps = fakeBrowser().tab({ config });
  deps.cookies.write(`${deps.config.cookies.prefix}-language`, 'es');
  await start(deps);
  const declared = () =>
    texts('other', {
      greeting: (name: string): string => `Hello ${name}`,
      count: { left: (count: number): string => `${count} left` },
    });
  const words = await createChunk(() => Promise.resolve(declared())).load();
  expect(loaded).toContain('/es.other');
  expect([words.greeting('Ada'), words.count.left(1), words.count.left(7)]).toEqual([
    ...['Hola Ada', 'Queda 1', 'Quedan 7'],
  ]);
  const app = openApp(deps);
  await app.send(languageChosen('en'));
  expect([words.greeting('Ada'), words.count.left(1)]).toEqual(['Hello Ada', '1 left']);
  parts.delete('other');
});

it('numbers have the digits 0 to 9 in a language that has digits of its own', async () => {
  const app = await start(fakeBrowser().tab({ config: { languages: ['en', 'fa'] } }));
  const words = texts('digits', { left: (count: number): string => `${count} left` });
  await app.send(languageChosen('fa'));
  expect(words.left(7)).toBe('7 مانده');
  parts.delete('digits');
});

it('is in use only where the configuration offers languages', () => {
  expect([{}, { languages: [] }, { languages: ['de'] }].map(languages.isConfigured)).toEqual([
    false,
    false,
    true,
  ]);
});
