import { dialogMessages, showAlert } from '@features/ui-dialogs';
import type { Deps } from '@shared/deps';
import type { PageLifeEvent, Ports } from '@shared/ports/ports';
import {
  fetchJson,
  readCataloguePath,
  writePageLanguage,
  pageLanguages,
} from '@shared/ports/browser/pageLanguage';
import { call } from '@shared/sagas/call.saga';
import { withChannel, type Subscribe } from '@shared/sagas/withChannel.saga';
import { parts, translations } from '@shared/texts';
import type { EventChannel } from 'redux-saga';
import { fork, put, select, take, takeLatest } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { chooseLanguage, directionOf } from '@vestibule/contract/languages';
import type * as dateLocale from './dateLocale';
import { languagesMessages } from './languages.messages';
import {
  languageChosen,
  languageChosenElsewhere,
  languageMissed,
  languageShown,
  selectChosenLanguage,
} from './languages.slice';
import { renewedTexts } from './heldTexts';
import { loadTranslations, showTranslations, type Piece, type Replaced } from './translations';

const yearMs = 365 * 24 * 60 * 60 * 1000;

const nameOf = ({ config }: Pick<Deps, 'config'>): string => `${config.cookies.prefix}-language`;

const cookieOf = (deps: Pick<Deps, 'config' | 'cookies'>): string | undefined =>
  deps.cookies.readAll(nameOf(deps))[0];

/** Chooses and loads the user's language before the first screen. If loading fails, the page is English. */
export async function prepare(deps: Ports & Pick<Deps, 'config'>): Promise<void> {
  const language = chooseLanguage(
    deps.config.languages ?? [],
    cookieOf(deps),
    deps.navigation.current().search,
    pageLanguages(),
  );
  await load(language).then(
    () => show(language),
    () => show('en'),
  );
  // One after another, so that screens that load together do not request a failing file more often.
  let last = Promise.resolve();
  translations.complete = () => {
    const next = last.then(complete);
    last = next.catch(() => undefined);
    return next;
  };
}

/** Translates texts that have just been declared. If their translations do not load, the whole page changes to English. */
async function complete(): Promise<void> {
  for (;;) {
    const language = translations.language ?? 'en';
    // A file that fails is requested a second time, as with code.
    const isLoaded = await load(language)
      .catch(() => load(language))
      .then(
        () => true,
        () => false,
      );
    // Another language may have been chosen in the meantime.
    if (language !== (translations.language ?? 'en')) continue;
    const replaced = show(isLoaded ? language : 'en');
    if (!isLoaded) tellLost(replaced);
    return;
  }
}

/** Called with the texts that changed to English because their translations did not load. */
let tellLost = (_replaced: readonly Replaced[]): void => undefined;

const subscribeToLost: Subscribe<readonly Replaced[]> = (listener) => {
  tellLost = listener;
  return () => (tellLost = () => undefined);
};

/** Loaded with the first dates: only chunks with dates have the part `date`, and moment. */
let dates: typeof dateLocale | undefined;

/** Loads the translations and locale for all declared texts, including texts that are declared while it loads. */
async function load(language: string): Promise<void> {
  for (let declared = 0; declared !== parts.size;) {
    declared = parts.size;
    await loadTranslations(language, readCataloguePath(), (path) => fetchJson(path) as Promise<Piece>);
    if (parts.has('date')) dates ??= await import('./dateLocale');
    await dates?.loadDateLocale(language);
  }
}

/** Shows a language whose translations have been loaded. @returns what was replaced. */
function show(language: string): readonly Replaced[] {
  translations.language = language;
  writePageLanguage(language, directionOf(language));
  dates?.showDateLocale(language);
  return showTranslations(language);
}

/**
 * Shows the language that the user chooses on this or another page of this browser. The cookie holds the last choice, and a message only
 * reports that the cookie has changed. So all pages end with the same language, whatever the order of choices and messages.
 */
export function* followChoices(deps: Deps): SagaGenerator<void> {
  const channel = yield* call(deps.broadcast.open, nameOf(deps));
  yield* takeLatest([languageChosen, languageChosenElsewhere], follow, deps, channel.post);
  yield* fork(() => withChannel(channel.subscribe, (messages) => readAgain(messages, deps)));
  // A page in the back/forward cache gets no messages.
  yield* fork(() => withChannel(deps.pageLife.subscribe, (events) => readAgain(events, deps)));
  yield* fork(() => withChannel(subscribeToLost, showLoss));
}

function* readAgain(events: EventChannel<object | PageLifeEvent>, deps: Deps): SagaGenerator<void> {
  for (;;) {
    const event = yield* take(events);
    if (typeof event === 'string' && event !== 'restored') continue;
    const kept = cookieOf(deps);
    const language = deps.config.languages?.find((one) => one === kept);
    if (language !== undefined && language !== (yield* select(selectChosenLanguage)))
      yield* put(languageChosenElsewhere(language));
  }
}

function* follow(
  deps: Deps,
  post: (message: object) => void,
  action: ReturnType<typeof languageChosen | typeof languageChosenElsewhere>,
): SagaGenerator<void> {
  const { payload } = action;
  if (languageChosen.match(action)) {
    yield* call(deps.cookies.write, nameOf(deps), payload, deps.clock.now() + yearMs);
    yield* call(post, {});
  }
  try {
    yield* call(load, payload);
  } catch {
    yield* put(languageMissed());
    yield* call(sayMissed);
    return;
  }
  yield* call(renew, payload, yield* call(show, payload));
}

/** Updates the state after the page has changed to English. The choice is kept. */
function* showLoss(losses: EventChannel<readonly Replaced[]>): SagaGenerator<void> {
  for (;;) {
    yield* call(renew, 'en', yield* take(losses));
    yield* call(sayMissed);
  }
}

function* renew(language: string, replaced: readonly Replaced[]): SagaGenerator<void> {
  const texts = renewedTexts(yield* select((state: object) => state), replaced);
  yield* put(languageShown({ language, texts }));
}

function* sayMissed(): SagaGenerator<void> {
  const { unreachable } = dialogMessages.trouble;
  yield* call(showAlert, { ...languagesMessages.error, message: unreachable });
}
