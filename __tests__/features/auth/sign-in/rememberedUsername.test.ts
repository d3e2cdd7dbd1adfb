/** @jest-environment node */
import { ApiError } from '@shared/api/apiError';
import { answers, severalPersonas } from '../../../support/builders';
import { fakeDeps } from '../../../support/fakeDeps';
import { openApp, signInWithPassword } from '../../../support/openApp';
import { openWith } from './openWith';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));
afterEach(() => jest.useRealTimers());

describe('the remembered username', () => {
  const yearMs = 365 * 86_400_000;

  it.each([
    ['leaving to the application', answers.session()],
    ['landing on account settings', answers.session({ personas: severalPersonas })],
    ['setting up two-step verification', answers.mustSetUpMfa()],
  ])('is kept for 365 days with Remember Me: %s', async (_name, answer) => {
    const app = openWith(answer);
    await signInWithPassword(app, { username: 'Ada@Example.com', rememberMe: true });
    expect(app.deps.cookies.readAll('payments-test-username')).toEqual(['Ada@Example.com']);
    expect(app.deps.cookies.expiryOf('payments-test-username')).toBe(1_800_000_000_000 + yearMs);
  });

  it.each([
    ['leaving to the application', answers.session()],
    ['landing on account settings', answers.session({ personas: severalPersonas })],
  ])('is removed without Remember Me: %s', async (_name, answer) => {
    const app = openWith(answer);
    app.deps.cookies.write('payments-test-username', 'ada', { kind: 'days', days: 365 });
    await signInWithPassword(app, { username: 'ada', rememberMe: false });
    expect(app.deps.cookies.readAll('payments-test-username')).toEqual([]);
  });

  it('is not touched by a sign-in that failed', async () => {
    const app = openWith(new ApiError('server', { status: 401 }));
    app.deps.cookies.write('payments-test-username', 'ada', { kind: 'days', days: 365 });
    await signInWithPassword(app, { username: 'mistyped', rememberMe: true });
    expect(app.deps.cookies.readAll('payments-test-username')).toEqual(['ada']);
  });

  it('stands in the field when /login is opened', () => {
    const deps = fakeDeps();
    deps.cookies.write('payments-test-username', 'ada', { kind: 'days', days: 365 });
    expect(openApp(deps).signIn()).toEqual({ phase: 'username', username: 'ada', rememberMe: true });
    expect(openApp(fakeDeps()).signIn()).toEqual({ phase: 'username', username: '', rememberMe: false });
  });
});
