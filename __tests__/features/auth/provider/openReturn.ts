import type { AppConfig } from '@vestibule/contract/appConfig';
import { testConfig } from '../../../support/builders';
import { fakeBrowser, type FakeBrowser } from '../../../support/fakeDeps';
import { createFakePopup } from '../../../support/fakePopups';
import { openApp, type OpenApp } from '../../../support/openApp';

/** `/oauth-redirect` in the pop-up window, with listeners on both channels. */
export interface ReturnPage extends OpenApp {
  readonly browser: FakeBrowser;
  /** The messages that the page posted. */
  readonly onChannel: readonly object[];
  readonly toOpener: readonly object[];
  readonly answerOnChannel: (message: object) => void;
  readonly answerAsOpener: (message: object) => void;
  /** Whether the page has the channel open too. */
  readonly channelIsOpen: () => boolean;
  /** The calls that show in which order the page works. */
  readonly order: readonly string[];
}

interface Options {
  /** A browser with a pending flow; otherwise one that has `state-1` stored for Google. */
  readonly browser?: FakeBrowser;
  /** Host that serves the page; the login host unless given. */
  readonly host?: string;
  readonly config?: AppConfig;
}

/** Opens the page at this query; the opener listens on the channel `state-1`. */
export function openReturn(
  query: string,
  { browser: given, host, config = testConfig() }: Options = {},
): ReturnPage {
  const browser = given ?? fakeBrowser();
  if (!given) browser.oauthStates.store('state-1', 'google');
  const onChannel: object[] = [];
  const toOpener: object[] = [];
  const channel = browser.broadcast.open('state-1');
  channel.subscribe((message) => onChannel.push(message));
  const window = createFakePopup().openBlank();
  if (!window) throw new Error('The fake lets every window open');
  window.subscribe((message) => toOpener.push(message));

  // The session channel is open in every page and unrelated to the flow.
  const isOfFlow = (name: string) => !name.endsWith('-session');
  const order: string[] = [];
  let opened = 0;
  let closed = 0;
  const path = `/oauth-redirect${query}`;
  const popup = createFakePopup(window.inside);
  const plain = browser.tab({ path, overrides: { popup, config }, ...(host === undefined ? {} : { host }) });
  const deps = {
    ...plain,
    navigation: {
      ...plain.navigation,
      replace: noting(order, 'navigation.replace', plain.navigation.replace),
    },
    oauthStates: {
      ...plain.oauthStates,
      read: noting(order, 'oauthStates.read', plain.oauthStates.read),
      remove: noting(order, 'oauthStates.remove', plain.oauthStates.remove),
    },
    broadcast: {
      open: (name: string) => {
        if (!isOfFlow(name)) return browser.broadcast.open(name);
        order.push('broadcast.open');
        opened += 1;
        const line = browser.broadcast.open(name);
        return {
          ...line,
          close: () => {
            closed += 1;
            line.close();
          },
        };
      },
    },
  };
  return {
    ...openApp(deps),
    browser,
    onChannel,
    toOpener,
    answerOnChannel: channel.post,
    answerAsOpener: (message) => window.post({ ...message, state: 'state-1' }),
    channelIsOpen: () => opened > closed,
    order,
  };
}

const noting =
  <Args extends unknown[], Result>(order: string[], name: string, work: (...args: Args) => Result) =>
  (...args: Args): Result => {
    order.push(name);
    return work(...args);
  };
