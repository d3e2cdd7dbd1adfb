import '../support/productionReact';
import { ApiError } from '@shared/api/apiError';
import { extensionNames } from '@vestibule/contract/document';
import { now } from '../dev/devtools/markedSecrets';
import { coreJourneys } from '../dev/devtools/journeys';
import { loadEveryScreen, openWithDevTools } from '../dev/devtools/openWithDevTools';
import { featureCalls } from '../support/answerFeatures';
import type { FakeBrowser, FakeDeps } from '../support/fakeDeps';

/** Each extension alone, too. */
const isLong = process.env['TEST_LONG'] === '1';

const all = extensionNames();
/** Answers the calls of the extensions as a service that has them, or refuses them as any unknown path. */
function answer({ api, authenticator }: FakeDeps, isOffered: boolean): void {
  authenticator.capabilities.add('conditionalGet');
  const unknown = new ApiError('server', { status: 404 });
  for (const { call, response } of featureCalls(api)) {
    if (isOffered) call.mockResolvedValue(response);
    else call.mockRejectedValue(unknown);
  }
}

beforeAll(loadEveryScreen);
beforeEach(() => jest.useFakeTimers({ now }));
afterEach(() => jest.useRealTimers());

const offers: readonly [string, readonly string[], boolean][] = [
  ['no extension', [], true],
  ...(isLong ? all : []).map((one) => [one, [one], true] as [string, readonly string[], boolean]),
  ['all extensions', all, true],
  ['all extensions, of a service that has none of them', all, false],
];

describe.each(offers)('with %s', (_what, extensions, isOffered) => {
  it.each(Object.entries(coreJourneys))('%s goes as always', async (_name, journey) => {
    const tab = await openWithDevTools(
      {
        ...journey,
        open: (browser: FakeBrowser) =>
          journey.open({
            ...browser,
            tab: (options) => {
              const deps = browser.tab({ ...options, config: { ...options?.config, extensions } });
              answer(deps, isOffered);
              return deps;
            },
          }),
      },
      { devTools: false },
    );
    await journey.run(tab.drive);
    expect(tab.deps.navigation.address()).toBe(journey.end);
    tab.close();
  });
});
