/** @jest-environment node */
import { answers, methods } from '../../../support/builders';
import { fakeDeps } from '../../../support/fakeDeps';
import { openApp, settle, signInWithPassword } from '../../../support/openApp';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));
afterEach(() => jest.useRealTimers());

describe('/two-auth', () => {
  it.each(['/two-auth', '/two-auth?url=%2Fx'])(
    'opened without a challenge leads to /login: %s',
    async (path) => {
      const app = openApp(fakeDeps({ path }));
      await settle();
      expect(app.deps.navigation.address()).toBe(path.replace('two-auth', 'login'));
      expect(app.state().location.pathname).toBe('/login');
      expect(app.signIn().phase).toBe('username');
    },
  );

  it('is left by reload, because the challenge lives in memory only', async () => {
    const deps = fakeDeps();
    deps.api.auth.methods.mockResolvedValue([methods.basic]);
    deps.api.auth.token.mockResolvedValue(answers.smsChallenge());
    const app = openApp(deps);
    await signInWithPassword(app);
    expect(app.state().location.pathname).toBe('/two-auth');
    // A new page at the same address, with the same cookies.
    const again = openApp(fakeDeps({ path: deps.navigation.address() }));
    await settle();
    expect(again.state().location.pathname).toBe('/login');
  });

  it('goes, with its secrets, when the page goes', async () => {
    const deps = fakeDeps();
    deps.api.auth.methods.mockResolvedValue([methods.basic]);
    deps.api.auth.token.mockResolvedValue(answers.appChallenge());
    await signInWithPassword(openApp(deps));
    expect(deps.vault.get('challenge')).toBeDefined();
    deps.pageLife.emit('left');
    expect(deps.vault.get('challenge')).toBeUndefined();
  });
});
