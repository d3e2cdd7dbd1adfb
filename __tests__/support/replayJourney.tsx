import { readFileSync } from 'node:fs';
import { App } from '@app/App';
import { readRecording } from '@app/lab/readRecording';
import { rootReducer, type RootState } from '@app/rootReducer';
import { createAppStore } from '@app/store';
import { noCode } from '@features/auth/provider/oauthChannel';
import { providerMessages } from '@features/auth/provider/provider.messages';
import { passwordMessages } from '@features/password/password.messages';
import {
  clearSession,
  rememberUsername,
  sessionMessages,
  writeSetup,
  type Claims,
  type Embedding,
  type FrameStorage,
} from '@features/session';
import { configureStore, type UnknownAction } from '@reduxjs/toolkit';
import { VaultContext } from '@shared/contexts';
import { act, render } from '@testing-library/react';
import { accessibleTree } from './accessibleTree';
import { testConfig } from './builders';
import { fakeDeps, type FakeDeps } from './fakeDeps';
import { pass, settle } from './openApp';
import { put } from './sessionCookies';
import {
  ada,
  fill,
  ofAnotherCall,
  outcomes,
  tokenOf,
  type Given,
  type RecordedEvent,
} from './recordedOutside';

/** What a journey came to. */
interface Outcome {
  readonly events: readonly string[];
  /** What a screen reader can tell of the last screen. */
  readonly screen: string;
}

/**
 * Replays the recording next to a test (`NAME.recording.txt`) in the whole application, with the real sagas: what the user
 * did is done again, and each call is answered as the events tell. Expects the same events and the same last screen. Written
 * by `npm run recording`.
 *
 * @param testFile - `__filename` of the test
 * @param given - what the recording does not hold
 */
export async function expectReplayed(testFile: string, given: Partial<Given>): Promise<void> {
  const text = readFileSync(testFile.replace(/\.test\.tsx?$/, '.recording.txt'), 'utf8');
  const { recorded, played } = await replayJourney(text, given);
  expect(played).toEqual(recorded);
}

/** @returns what the recording says, and what the application did */
export async function replayJourney(
  text: string,
  changes: Partial<Given> = {},
): Promise<{ readonly recorded: Outcome; readonly played: Outcome }> {
  const given = { ...ada, ...changes };
  const events = eventsIn(text, given);
  jest.useFakeTimers({ now: events[0]?.at ?? 0 });
  try {
    const initial = rootReducer(undefined, { type: '@@replay/init' });
    const recorded = {
      events: events.map(({ type }) => type),
      state: events.reduce<RootState>((state, event) => rootReducer(state, { ...event }), initial),
    };
    const played = await play(events, given);
    return { recorded: await outcomeOf(recorded), played: await outcomeOf(played) };
  } finally {
    jest.useRealTimers();
  }
}

interface Played {
  readonly events: readonly string[];
  readonly state: RootState;
}

/** Up to a crash, whose cause no recording holds. */
function eventsIn(text: string, given: Given): readonly RecordedEvent[] {
  const read = readRecording(text);
  if (!read.ok) throw new Error(read.problem);
  if (read.steps[0]?.type !== 'session/pageOpened')
    throw new Error(
      'The recording begins in the middle of a page: no test can lead there. It can be replayed.',
    );
  const crash = read.steps.findIndex(({ type }) => type.startsWith('crash/'));
  const steps = crash < 0 ? read.steps : read.steps.slice(0, crash);
  let at = 0;
  return steps.map((step, place) => {
    const dialog = steps.slice(place).find(({ type }) => type === 'ui-dialogs/dialogOpened')?.action;
    const message = (dialog?.['payload'] as { readonly message?: string } | undefined)?.message ?? '';
    at = step.at ?? at;
    return { ...fill(step.action, given, message), at, message };
  });
}

/** Draws a state and says what a screen reader can tell of it. */
async function outcomeOf({ events, state }: Played): Promise<Outcome> {
  const store = configureStore({ reducer: rootReducer, preloadedState: state, devTools: false });
  const { baseElement, unmount } = render(
    <VaultContext value={{ get: () => undefined }}>
      <App store={store as never} config={fakeDeps().config} />
    </VaultContext>,
  );
  // Parts that are loaded lazily load others.
  for (let times = 0; times < 5; times += 1) await act(() => settle());
  const tree = accessibleTree(baseElement);
  unmount();
  return { events, screen: tree };
}

/** How long to wait for an event that is late, ms: a session is refreshed after minutes. */
const patience = 600_000;
const step = 100;

const isMaybeClosed = ({ type }: RecordedEvent): boolean => type.endsWith('MaybeClosed');

/** Replays the application with an environment derived from the events. */
async function play(events: readonly RecordedEvent[], given: Given): Promise<Played> {
  const deps = openTab(events, given);
  const { store, start } = createAppStore();
  const seen: string[] = [];
  store.replaceReducer((state, action) => {
    if (!action.type.startsWith('@@')) seen.push(action.type);
    return rootReducer(state, action);
  });
  answerCalls(deps, () => events.slice(seen.length));
  start(deps);
  await settle();
  for (const [place, event] of events.entries()) {
    // A closed window is noticed within half a second.
    const early = isMaybeClosed(event) ? 400 : 0;
    if (seen.length <= place) await pass(Math.max(0, event.at - early - Date.now()));
    if (seen.length > place) continue;
    happen(events, place, { deps, given, dispatch: store.dispatch });
    await settle();
    for (let waited = 0; seen.length <= place && waited < patience; waited += step) await pass(step);
  }
  return { events: seen, state: store.getState() };
}

/** The tab as it was opened: its address, its parent, its cookies. */
function openTab(events: readonly RecordedEvent[], given: Given): FakeDeps {
  const payloadOf = (type: string) => events.find((event) => event.type === type)?.payload as never;
  const has = (type: string) => events.some((event) => event.type === type);
  const { embedding }: { readonly embedding: Embedding } = payloadOf('session/pageOpened');
  const [storage, ...answers] = events
    .filter(({ type }) => type === 'session/frameStorageChanged')
    .map(({ payload }) => payload as FrameStorage);
  const base = testConfig().cookies;
  const deps = fakeDeps({
    path: addressOf(payloadOf('location/locationChanged'), given),
    embedding: storage ? 'partitioned' : embedding,
    config: {
      extensions: events.some(({ type }) => type.startsWith('recoveryCodes/')) ? ['recovery-codes'] : [],
      oneTimeLinks: has('oneTimeLink/linkGateShown') ? 'click' : 'auto',
      cookies: storage?.phase === 'partitioned' ? { ...base, sameSite: 'None' } : base,
    },
  });
  deps.frameAccess.answer(() => answers.shift()?.phase === 'shared');
  const first = events.find(({ type }) => /^session\/(session|setup)/.test(type));
  if (first?.type === 'session/sessionRestored') writeSession(deps, first.payload as Claims);
  if (first?.type === 'session/setupStarted') writeSetup(deps, tokenOf(first.payload as Claims));
  const entered = payloadOf('signIn/loginEntered') as { readonly rememberedUsername: string } | undefined;
  if (entered?.rememberedUsername) rememberUsername(deps, given.username);
  if (events.some(({ message }) => message === sessionMessages.cookiesOff)) deps.cookies.switchOff();
  if (events.some(({ message }) => message.startsWith('A cookie in your browser prevents')))
    deps.cookies.refuse('payments-test-session');
  return deps;
}

const addressOf = (
  location: { readonly pathname: string; readonly search: string } | undefined,
  { linkId }: Given,
): string => (location ? location.pathname.replaceAll('***', linkId) + location.search : '/login');

const writeSession = (deps: FakeDeps, claims: Claims): void =>
  put(deps, { token: tokenOf(claims), refresh: `refresh-${String(claims.iat)}` });

/** Each call is answered when, and as, the first event says that tells its outcome. */
function answerCalls({ api }: FakeDeps, coming: () => readonly RecordedEvent[]): void {
  for (const [group, calls] of Object.entries(outcomes))
    for (const [call, told] of Object.entries(calls as typeof outcomes.auth)) {
      const answers: Readonly<Record<string, ((event: RecordedEvent) => unknown) | undefined>> = told;
      const mock = api[group as 'auth'][call as 'token'] as jest.Mock;
      mock.mockImplementation(async () => {
        const event = coming().find((one) => {
          const tells = answers[one.type];
          return tells && tells(one) !== ofAnotherCall;
        });
        if (!event) return await new Promise(() => undefined);
        const early = event.at - Date.now();
        if (early > 0) await new Promise((resolve) => setTimeout(resolve, early));
        const answer = answers[event.type]?.(event);
        if (answer instanceof Error) throw answer;
        return answer;
      });
    }
}

interface LocalEnvironment {
  readonly deps: FakeDeps;
  readonly given: Given;
  readonly dispatch: (action: UnknownAction) => void;
}

/** What the application does not do by itself: the user, a provider's window, another tab, the browser's history. */
function happen(
  events: readonly RecordedEvent[],
  place: number,
  { deps, given, dispatch }: LocalEnvironment,
): void {
  const [event, ...next] = events.slice(place) as [RecordedEvent, ...RecordedEvent[]];
  const { type, payload, meta } = event;
  const window = deps.popup.windows.at(-1);
  if (type === 'providerAttempt/providerCodeReceived') window?.say({ type: 'oauth/code', code: 'code-1' });
  else if (isMaybeClosed(event)) window?.seemClosed();
  else if (type === 'providerAttempt/providerAttemptFailed') {
    const before = events.slice(0, place).findLast((one) => one.type.startsWith('providerAttempt/'));
    const error = event.message === providerMessages.errors.noCode ? noCode : 'access_denied';
    if (before && !isMaybeClosed(before)) window?.say({ type: 'oauth/error', error });
  } else if (/^session\/session(Adopted|Restored)$/.test(type)) writeSession(deps, payload as Claims);
  else if (type === 'session/sessionEnded') clearSession(deps);
  else if (type === 'location/locationChanged') deps.navigation.visit(addressOf(payload as never, given));
  else if (meta?.cause === 'user') {
    if (next[0]?.type.endsWith('providerWindowBlocked')) deps.popup.block();
    else deps.popup.allow();
    dispatch({ type, payload, meta: { secret: typed(type, next, given) } });
  }
}

/** What the user typed where no store holds it. */
function typed(type: string, next: readonly RecordedEvent[], given: Given): unknown {
  if (type !== 'newPassword/newPasswordSubmitted') return /code/i.test(type) ? given.code : given.password;
  const refused = next.find((event) => event.type.startsWith('newPassword/'))?.payload as
    { readonly at: string; readonly message: string } | undefined;
  const { empty, mismatch } = passwordMessages.errors;
  const unfit = refused?.message === empty ? '' : 'short';
  const password = refused?.at === 'password' ? unfit : given.newPassword;
  return { password, confirm: refused?.message === mismatch ? given.password : password };
}
