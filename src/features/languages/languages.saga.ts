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
import { withChannel } from '@shared/sagas/withChannel.saga';
import { parts, translations } from '@shared/texts';
import type { EventChannel } from 'redux-saga';
import { fork, put, select, take, takeEvery, takeLatest } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { chooseLanguage, directionOf } from '@vestibule/contract/languages';
import { languagesMessages } from './languages.messages';
import {
  languageChosen,
  languageChosenElsewhere,
  languageMissed,
  languageShown,
  selectChosenLanguage,
  selectLanguage,
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
  translations.complete = async () => {
    for (;;) {
      const shown = translations.language ?? 'en';
      await load(shown).catch(() => undefined);
      // Another one may have been chosen meanwhile.
      if (shown !== (translations.language ?? 'en')) continue;
      showTranslations(shown);
      await dates?.loadDateLocale(shown);
      return;
    }
  };
}

/** Loaded with the first dates: only chunks with dates have the part `date`, and moment. */
let dates: { readonly loadDateLocale: (tag: string) => Promise<void> } | undefined;

async function load(language: string): Promise<void> {
  await loadTranslations(language, readCataloguePath(), (path) => fetchJson(path) as Promise<Piece>);
  if (parts.has('date')) dates ??= await import('./dateLocale');
}

/** Shows a language whose translations have been loaded. @returns what was replaced. */
function show(language: string): readonly Replaced[] {
  translations.language = language;
  writePageLanguage(language, directionOf(language));
  return showTranslations(language);
}

/** Shows what the user chooses, here or on another page of this browser. */
export function* followChoices(deps: Deps): SagaGenerator<void> {
  yield* takeLatest([languageChosen, languageChosenElsewhere], follow, deps);
  const channel = yield* call(deps.broadcast.open, nameOf(deps));
  yield* takeEvery(languageChosen, tell, channel.post);
  yield* fork(() => withChannel(channel.subscribe, (messages) => hear(messages, deps)));
  // A page in the back/forward cache gets no messages.
  yield* fork(() => withChannel(deps.pageLife.subscribe, (events) => readAgain(events, deps)));
}

function tell(post: (message: object) => void, { payload }: ReturnType<typeof languageChosen>): void {
  post({ language: payload });
}

function* hear(messages: EventChannel<object>, deps: Deps): SagaGenerator<void> {
  for (;;) {
    const { language } = (yield* take(messages)) as { readonly language?: unknown };
    yield* call(adopt, deps, language);
  }
}

function* readAgain(events: EventChannel<PageLifeEvent>, deps: Deps): SagaGenerator<void> {
  for (;;) if ((yield* take(events)) === 'restored') yield* call(adopt, deps, cookieOf(deps));
}

/** Shows the language that another page has, unless this page is loading one that the user has chosen here. */
function* adopt({ config }: Deps, language: unknown): SagaGenerator<void> {
  const offered = config.languages?.find((one) => one === language);
  const [shown, chosen] = [yield* select(selectLanguage), yield* select(selectChosenLanguage)];
  if (offered !== undefined && offered !== shown && shown === chosen)
    yield* put(languageChosenElsewhere(offered));
}

function* follow(
  deps: Deps,
  action: ReturnType<typeof languageChosen | typeof languageChosenElsewhere>,
): SagaGenerator<void> {
  const { payload } = action;
  if (languageChosen.match(action))
    yield* call(deps.cookies.write, nameOf(deps), payload, deps.clock.now() + yearMs);
  try {
    yield* call(load, payload);
    yield* call(async () => await dates?.loadDateLocale(payload));
  } catch {
    yield* put(languageMissed());
    const { unreachable } = dialogMessages.trouble;
    yield* call(showAlert, { ...languagesMessages.error, message: unreachable });
    return;
  }
  const replaced = yield* call(show, payload);
  const texts = renewedTexts(yield* select((state: object) => state), replaced);
  yield* put(languageShown({ language: payload, texts }));
}
