/** @jest-environment node */
import { passwordSubmitted } from '@features/auth/sign-in/signIn.slice';
import { answers, hosts, tokenPair } from '../../../support/builders';
import { enterUsername, pass, settle, signInWithPassword } from '../../../support/openApp';
import { put } from '../../session/refresh/openSignedIn';
import { openWith, sessionCookies } from './openWith';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));
afterEach(() => jest.useRealTimers());

describe('two-step verification has to be set up first', () => {
  it('the setup cookie is written to the letter, and account settings are gone to', async () => {
    const answer = answers.mustSetUpMfa();
    const app = openWith(answer);
    await signInWithPassword(app);
    expect(app.deps.cookies.contents()).toEqual({
      'payments-test-session-setup': `{"mfaToken":"${answer.mfaJWT ?? ''}"}`,
    });
    expect(app.deps.navigation.address()).toBe('/account-settings');
    expect(app.state().session.access).toMatchObject({ phase: 'setup', claims: { isMfaSetup: true } });
    expect(app.deps.parentFrame.told).toEqual([]);
  });

  it('a clock that is two days ahead is measured by its token: it is not over at once', async () => {
    const app = openWith(answers.mustSetUpMfa());
    app.deps.clock.set(Date.now() + 2 * 86_400_000);
    await signInWithPassword(app);
    await pass(10_000);
    expect(app.state().session.access.phase).toBe('setup');
    expect(app.deps.navigation.address()).toBe('/account-settings');
  });

  it.each([
    ['a session that another tab began meanwhile goes, and the parent is told', true],
    ['where no session was, the parent is not told again', false],
  ])('%s', async (_name, isThere) => {
    const app = openWith(answers.mustSetUpMfa(), { embedding: 'trusted' });
    await enterUsername(app);
    app.deps.api.auth.token.mockImplementation(async () => {
      if (isThere) put(app.deps, tokenPair());
      await app.deps.clock.pause(6000);
      return answers.mustSetUpMfa();
    });
    app.dispatch(passwordSubmitted('Corr3ct-horse'));
    await pass(6000);
    expect(Object.keys(app.deps.cookies.contents())).toEqual(['payments-test-session-setup']);
    const ofAnother = ['new_tokens', 'removed_tokens'];
    expect(app.deps.parentFrame.told).toEqual(['removed_tokens', ...(isThere ? ofAnother : [])]);
  });
});

describe('a second step is asked for', () => {
  it.each([
    ['authy', answers.smsChallenge(), { mfaType: 'authy', authyId: '52001', uid: 'u_1' }],
    ['mfa', answers.appChallenge(), { mfaType: 'mfa', authyId: null, uid: 'u_1' }],
  ] as const)('%s: /two-auth with the challenge, and the query kept', async (_type, answer, facts) => {
    const app = openWith(answer, { path: `/login?url=${encodeURIComponent(hosts.hub)}&supplierHub` });
    await signInWithPassword(app, { username: 'ada' });
    expect(app.deps.navigation.address()).toBe(`/two-auth?url=${encodeURIComponent(hosts.hub)}&supplierHub`);
    expect(app.state().auth.challenge).toEqual({
      phase: 'entering',
      challenge: { username: 'ada', method: 'basic', ...facts },
      attempt: 0,
      resend: 'ready',
    });
    expect(app.deps.vault.get('challenge')).toEqual({ authVerificationToken: 'vt_1' });
    expect(sessionCookies(app.deps.cookies.contents())).toEqual([undefined, undefined]);
  });

  it('the verification token is in no state', async () => {
    const app = openWith(answers.smsChallenge({ authVerificationToken: 'marked-secret' }));
    await signInWithPassword(app);
    expect(JSON.stringify(app.state())).not.toContain('marked-secret');
  });

  it('going back drops the challenge and its secrets', async () => {
    const app = openWith(answers.smsChallenge());
    await signInWithPassword(app);
    app.deps.navigation.back();
    await settle();
    expect(app.deps.navigation.address()).toBe('/login');
    expect(app.deps.vault.get('challenge')).toBeUndefined();
    expect(app.state().auth.challenge).toEqual({ phase: 'none' });
  });
});
