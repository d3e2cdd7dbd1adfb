import { dialogMessages, showAlert } from '@features/ui-dialogs';
import type { Deps } from '@shared/deps';
import type { PageLifeEvent, Ports } from '@shared/ports/ports';
import { pageLanguages } from '@shared/ports/browser/pageLanguage';
import { call } from '@shared/sagas/call.saga';
import { withChannel, type Subscribe } from '@shared/sagas/withChannel.saga';
import { english, pageTexts } from '@shared/texts';
import type { EventChannel } from 'redux-saga';
import { fork, put, select, take, takeLatest } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { chooseLanguage } from '@vestibule/contract/languages';
import { loadLanguage, setScreens, translationsOf } from './catalogues';
import { languagesMessages } from './languages.messages';
import {
  languageChosen,
  languageChosenElsewhere,
  languageMissed,
  languageShown,
  selectChosenLanguage,
} from './languages.slice';

const yearMs = 365 * 24 * 60 * 60 * 1000;

const nameOf = ({ config }: Pick<Deps, 'config'>): string => `${config.cookies.prefix}-language`;

const cookieOf = (deps: Pick<Deps, 'config' | 'cookies'>): string | undefined =>
  deps.cookies.readAll(nameOf(deps))[0];

/** Chooses and loads the user's language before the first screen. If loading fails, the page is English. */
export async function prepare(deps: Ports & Pick<Deps, 'config'>): Promise<void> {
  const chosen = chooseLanguage(
    deps.config.languages ?? [],
    cookieOf(deps),
    deps.navigation.current().search,
    pageLanguages(),
  );
  setScreens('login');
  pageTexts.shown = await loadLanguage(chosen).then(
    () => translationsOf(chosen),
    () => english,
  );
  pageTexts.loadTexts = loadTexts;
}

/** Loads the texts of all screens. If they cannot be loaded, the whole page changes to English. */
async function loadTexts(): Promise<void> {
  setScreens('all');
  const { shown = english } = pageTexts;
  const isLoaded = await loadLanguage(shown.locale).then(
    () => true,
    () => false,
  );
  // Another language may have been chosen in the meantime.
  if (shown !== pageTexts.shown) await loadTexts();
  else if (!isLoaded) tellFailed();
}

/** Called when the texts of all screens could not be loaded. */
let tellFailed = (): void => undefined;

const subscribeToFailures: Subscribe<'failed'> = (listener) => {
  tellFailed = () => {
    listener('failed');
  };
  return () => (tellFailed = () => undefined);
};

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
  yield* fork(() => withChannel(subscribeToFailures, showFailure));
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
    yield* call(loadLanguage, payload);
  } catch {
    yield* put(languageMissed());
    yield* call(sayFailed);
    return;
  }
  yield* call(show, payload);
}

function* show(tag: string): SagaGenerator<void> {
  pageTexts.shown = translationsOf(tag);
  yield* put(languageShown({ language: tag }));
}

/** Changes the page to English. The choice is kept. */
function* showFailure(failures: EventChannel<'failed'>): SagaGenerator<void> {
  for (;;) {
    yield* take(failures);
    yield* call(show, 'en');
    yield* call(sayFailed);
  }
}

function* sayFailed(): SagaGenerator<void> {
  const { unreachable } = dialogMessages.trouble;
  yield* call(showAlert, { ...languagesMessages.error, message: unreachable });
}
