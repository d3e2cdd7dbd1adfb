import { ApiError } from '@shared/api/apiError';
import { now } from '../devtools/markedSecrets';
import { journeys } from '../devtools/journeys';
import { loadEveryScreen, openWithDevTools } from '../devtools/openWithDevTools';
import { passkeys } from '../support/builders';
import type { FakeBrowser, FakeDeps } from '../support/fakeDeps';

const all = ['revoke', 'events', 'sessions', 'notices', 'passkeys', 'recovery-codes', 'password-check'];

/** Answers the calls of the extensions as a service that has them, or refuses them as any unknown path. */
function answer({ api, authenticator }: FakeDeps, isOffered: boolean): void {
  authenticator.capabilities.add('conditionalGet');
  const unknown = new ApiError('server', { status: 404 });
  const give = <Value, Args extends unknown[]>(call: jest.Mock<Promise<Value>, Args>, value: Value) =>
    isOffered ? call.mockResolvedValue(value) : call.mockRejectedValue(unknown);
  give(api.auth.revoke, undefined);
  give(api.devices.know, { deviceToken: 'device-1' });
  give(api.passkeys.signInOptions, passkeys.options);
  give(api.passkeys.list, { userId: 'handle', passkeys: [] });
  give(api.recovery.count, 2);
  give(api.devices.sessions, []);
  give(api.devices.trustedDevices, []);
  give(api.devices.activity, { entries: [], next: null });
}

beforeAll(loadEveryScreen);
beforeEach(() => jest.useFakeTimers({ now }));
afterEach(() => jest.useRealTimers());

const offers: readonly [string, readonly string[], boolean][] = [
  ['no extension', [], true],
  ...all.map((one) => [one, [one], true] as [string, readonly string[], boolean]),
  ['all extensions', all, true],
  ['all extensions, of a service that has none of them', all, false],
];

describe.each(offers)('with %s', (_what, extensions, isOffered) => {
  // Those of passkeys and recovery codes need their extension.
  const others = Object.entries(journeys).filter(([name]) => !/passkey|recovery/.test(name));
  it.each(others)('%s goes as always', async (_name, journey) => {
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
