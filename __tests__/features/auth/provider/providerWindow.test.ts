/** @jest-environment node */
import { providerRequested } from '@features/auth/provider/providerAttempt.slice';
import { usernameSubmitted } from '@features/auth/sign-in/signIn.slice';
import type { LoginMethod } from '@shared/api/decoders';
import { hosts, methods } from '../../../support/builders';
import { fakeDeps } from '../../../support/fakeDeps';
import { createFakePopup } from '../../../support/fakePopups';
import { openApp, pass, settle } from '../../../support/openApp';
import { noTraces, openWithProviders } from './openWithProviders';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));

describe('before the window is navigated to the provider', () => {
  it('the page listens on both channels, and the state is stored for that provider', async () => {
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

  it.each(['google', 'microsoft'] as const)('the address has the flow’s secrets: %s', async (provider) => {
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
  });
});

const providers = ['google', 'microsoft'] as const;

describe('the provider’s window', () => {
  it.each(providers)('of the only method opens synchronously when %s becomes known', async (provider) => {
    const popup = createFakePopup();
    let turnIsOver = false;
    const openedInTurn: boolean[] = [];
    const openBlank = () => {
      openedInTurn.push(!turnIsOver);
      return popup.openBlank();
    };
    const deps = fakeDeps({ overrides: { popup: { ...popup, openBlank } } });
    let answer: (offered: readonly LoginMethod[]) => void = () => undefined;
    deps.api.auth.methods.mockReturnValue(new Promise((resolve) => (answer = resolve)));
    const app = openApp(deps);
    app.store.subscribe(() => {
      if (app.signIn().phase === 'choosing')
        queueMicrotask(() => {
          turnIsOver = true;
        });
    });
    app.dispatch(usernameSubmitted({ username: 'ada', rememberMe: false }));
    await pass(2000);
    answer([methods[provider]]);
    await settle();
    expect(openedInTurn).toEqual([true]);
    expect(turnIsOver).toBe(true);
    expect(popup.windows[0]?.visited).toHaveLength(1);
  });

  it('does not open for a provider that was not offered', async () => {
    const app = await openWithProviders({ offered: [methods.basic, methods.google] });
    await app.send(providerRequested('microsoft'));
    expect(app.deps.popup.windows).toEqual([]);
    expect(app.signIn()).toMatchObject({ phase: 'choosing', provider: null });
  });
});

describe('a window that the browser blocks', () => {
  it.each(providers)('of the only method: a hint to press %s, no dialog, no lost input', async (provider) => {
    const popup = createFakePopup();
    popup.block();
    const makeOauthSecrets = jest.fn(fakeDeps().makeOauthSecrets);
    const app = await openWithProviders({
      offered: [methods[provider]],
      overrides: { popup, makeOauthSecrets },
    });
    expect(app.signIn()).toMatchObject({
      phase: 'choosing',
      methods: [methods[provider]],
      provider: { method: provider, status: 'blocked' },
    });
    await pass(660_000);
    expect(app.signIn()).toMatchObject({ provider: { status: 'blocked' } });
    expect(app.dialogs).toEqual([]);
    expect(makeOauthSecrets).not.toHaveBeenCalled();
    expect(app.traces()).toEqual(noTraces);
    expect(app.deps.log.errors).toEqual([]);

    // The press that the hint asks for.
    popup.allow();
    const window = await app.choose(provider);
    expect(app.signIn()).toMatchObject({ provider: { status: 'waiting' } });
    window.say({ type: 'oauth/code', code: 'code-1' });
    await settle();
    expect(app.deps.navigation.leaves).toEqual([hosts.ledger]);
  });
});
