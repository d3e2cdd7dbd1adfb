/** @jest-environment node */
import { createFakePopup } from '../../../support/fakePopups';
import { openWithProviders } from './openWithProviders';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));
afterEach(() => jest.useRealTimers());

describe('before the window is sent to the provider', () => {
  it('the page listens on both lines, and the state is stored for that provider', async () => {
    const popup = createFakePopup();
    const atDeparture: unknown[] = [];
    const app = await openWithProviders({
      overrides: {
        popup: {
          ...popup,
          openBlank: () => {
            const window = popup.openBlank();
            return (
              window && {
                ...window,
                go: (url) => {
                  atDeparture.push({ ...app.traces(), provider: app.browser.oauthStates.read('state-1') });
                  window.go(url);
                },
              }
            );
          },
        },
      },
    });
    await app.choose('microsoft');
    expect(atDeparture).toEqual([
      { channels: ['state-1'], states: ['state-1'], listeners: 1, provider: 'microsoft' },
    ]);
    expect(popup.windows[0]?.visited).toHaveLength(1);
  });

  it.each(['google', 'microsoft'] as const)(
    'the address has the state, challenge and nonce of this flow: %s',
    async (provider) => {
      const app = await openWithProviders({ username: 'ada+x@example.com' });
      await app.choose(provider);
      const [address, ...more] = app.window().visited;
      expect(more).toEqual([]);
      const { searchParams } = new URL(address ?? '');
      expect(searchParams.get('state')).toBe('state-1');
      expect(searchParams.get('login_hint')).toBe('ada@example.com');
      expect([searchParams.get('code_challenge'), searchParams.get('nonce')]).toEqual(
        provider === 'microsoft' ? ['challenge-1', 'nonce-1'] : [null, null],
      );
      expect(address).not.toContain('verifier-1');
    },
  );
});
