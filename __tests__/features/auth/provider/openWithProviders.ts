import {
  providerAbandoned,
  providerRequested,
  selectProviderAttempt,
  type ProviderAttemptState,
} from '@features/auth/provider/providerAttempt.slice';
import { usernameChangeRequested } from '@features/auth/sign-in/signIn.slice';
import { sessionEnded } from '@features/session';
import type { LoginMethod } from '@shared/api/decoders';
import type { Provider } from '@shared/ports/ports';
import { answers, methods } from '../../../support/builders';
import { fakeBrowser, type FakeBrowser, type TabOptions } from '../../../support/fakeDeps';
import type { FakePopupWindow } from '../../../support/fakePopups';
import { enterUsername, openApp, type OpenApp } from '../../../support/openApp';
import { arrangeSignIn } from '../../../support/usualResponses';

/** `/login` at its second step, with the actions and checks of a test of a provider's window. */
export interface ProviderApp extends Omit<OpenApp, 'signIn'> {
  readonly browser: FakeBrowser;
  /** The method step, with its provider attempt. */
  readonly signIn: () => ReturnType<OpenApp['signIn']> & { readonly provider: ProviderAttemptState };
  /** Presses the provider's button; the window is navigated to the provider. */
  readonly choose: (provider: Provider) => Promise<FakePopupWindow>;
  /** The window that was opened last. */
  readonly window: () => FakePopupWindow;
  /** Another window of our origin posts on a channel. */
  readonly sayOnChannel: (state: string, message: object) => void;
  /** What a flow must not leave behind. */
  readonly traces: () => {
    readonly channels: readonly string[];
    readonly states: readonly string[];
    readonly listeners: number;
  };
  /** The texts of all dialogs that were opened, in order. */
  readonly dialogs: readonly string[];
}

/** Nothing left: no channel, no stored state, no listener on any window. */
export const noTraces = { channels: [], states: [], listeners: 0 };

/** The tab's part of the options, and its browser; a separate one unless given. */
interface Options extends TabOptions {
  readonly browser?: FakeBrowser;
  readonly offered?: readonly LoginMethod[];
  readonly username?: string;
  readonly rememberMe?: boolean;
}

const everyMethod = [methods.basic, methods.google, methods.microsoft];

/** A username with all three methods unless given otherwise; the token call signs in. */
export async function openWithProviders(options: Options = {}): Promise<ProviderApp> {
  const { browser = fakeBrowser(), offered = everyMethod, username, rememberMe, ...tab } = options;
  const deps = browser.tab(tab);
  arrangeSignIn(deps.api, answers.session(), offered);
  const app = openApp(deps);
  const dialogs = recordDialogs(app);
  await enterUsername(app, username, rememberMe);
  const window = () => {
    const last = deps.popup.windows.at(-1);
    if (!last) throw new Error('No window was opened');
    return last;
  };
  return {
    ...app,
    signIn: () => ({ ...app.signIn(), provider: selectProviderAttempt(app.state()) }),
    browser,
    dialogs,
    window,
    choose: async (provider) => {
      await app.send(providerRequested(provider));
      return window();
    },
    sayOnChannel: (state, message) => {
      const channel = browser.broadcast.open(state);
      channel.post(message);
      channel.close();
    },
    traces: () => ({
      channels: browser.broadcast.openChannels(),
      states: [...browser.oauthStates.stored.keys()],
      listeners: deps.popup.windows.reduce((sum, opened) => sum + opened.listenerCount(), 0),
    }),
  };
}

function recordDialogs(app: OpenApp): readonly string[] {
  const words: string[] = [];
  let before = app.dialog();
  app.store.subscribe(() => {
    const now = app.dialog();
    if (now && now !== before) words.push(now.message);
    before = now;
  });
  return words;
}

/** The ways to leave a pending flow, and the screen that each leads to. */
export const waysOut: readonly (readonly [string, (app: ProviderApp) => void, object])[] = [
  ['Cancel', (app) => app.dispatch(providerAbandoned()), { phase: 'choosing', provider: null }],
  ['going back to the username', (app) => app.dispatch(usernameChangeRequested()), { phase: 'username' }],
  ['leaving /login', (app) => app.deps.navigation.visit('/unauthorized'), { phase: 'choosing' }],
  ['a session’s end', (app) => app.dispatch(sessionEnded({ reason: 'expired' })), { phase: 'username' }],
  ['coming back from the application', (app) => app.deps.pageLife.emit('restored'), { phase: 'username' }],
];
