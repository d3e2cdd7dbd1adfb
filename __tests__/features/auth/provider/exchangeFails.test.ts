/** @jest-environment node */
import type { TokenAnswer } from '@shared/api/api';
import { ApiError } from '@shared/api/apiError';
import type { Provider } from '@shared/platform/platform';
import { answers, hosts } from '../../../support/builders';
import { settle } from '../../../support/openApp';
import { blocked } from '../sign-in/openWith';
import { noTraces, openWithProviders } from './openWithProviders';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));
afterEach(() => jest.useRealTimers());

const noAccess = 'Your account has no access';
const outcomes: readonly (readonly [string, TokenAnswer | ApiError, string])[] = [
  [
    'is refused with words of the server',
    new ApiError('server', { status: 401, serverMessage: 'Ask your <b>administrator</b>' }),
    'Ask your <b>administrator</b>',
  ],
  ['is refused without words', new ApiError('server', { status: 401 }), noAccess],
  ['meets a service in trouble', new ApiError('server', { status: 502 }), noAccess],
  ['has no answer', new ApiError('network'), noAccess],
  ['is answered too late', new ApiError('timeout'), noAccess],
  ['is answered with something else', new ApiError('unexpected', { status: 200 }), noAccess],
  ['is answered with nothing', {}, noAccess],
  ['brings a token that cannot be decoded', { token: 'nonsense', refresh: 'r' }, noAccess],
  ['brings somebody without personas', answers.session({ personas: {} }), 'create relation in db'],
  [
    'brings a challenge without its token',
    { mfaRequired: true, mfaType: 'mfa' },
    'Authentication error. Please try again.',
  ],
];

describe.each<Provider>(['google', 'microsoft'])('the exchange of a code of %s', (provider) => {
  it.each(outcomes)(
    '%s: the dialog says why, nothing is kept, and a new attempt is a new flow',
    async (_n, answer, words) => {
      const app = await openWithProviders();
      if (answer instanceof ApiError) app.deps.api.auth.token.mockRejectedValue(answer);
      else app.deps.api.auth.token.mockResolvedValue(answer);
      const first = await app.choose(provider);
      first.say({ type: 'oauth/code', code: 'code-1' });
      await settle();
      expect(app.dialog()).toMatchObject({ title: 'Login Error', message: words, confirmLabel: 'Ok' });
      expect(app.dialogs).toEqual([words]);
      expect(app.signIn()).toMatchObject({ phase: 'choosing', failures: 1, provider: null });
      expect(app.deps.cookies.contents()).toEqual({});
      expect(app.deps.navigation.leaves).toEqual([]);
      expect(app.traces()).toEqual(noTraces);
      // Never tried again by itself.
      await jest.advanceTimersByTimeAsync(60_000);
      expect(app.deps.api.auth.token).toHaveBeenCalledTimes(1);

      app.deps.api.auth.token.mockResolvedValue(answers.session());
      const second = await app.choose(provider);
      expect(app.dialog()).toBeUndefined();
      expect(new URL(second.visited[0] ?? '').searchParams.get('state')).toBe('state-2');
      second.say({ type: 'oauth/code', code: 'code-2' });
      await settle();
      expect(app.deps.navigation.leaves).toEqual([hosts.ledger]);
      expect(app.deps.api.auth.token).toHaveBeenCalledTimes(2);
      expect(app.deps.api.auth.token.mock.calls[1]?.[0]).toMatchObject({
        code: 'code-2',
        ...(provider === 'microsoft' ? { codeVerifier: 'verifier-2' } : {}),
      });
    },
  );
});

it('a cookie that the browser does not take ends in a message, not in a loop', async () => {
  const app = await openWithProviders();
  app.deps.cookies.refuse('payments-test-session');
  (await app.choose('google')).say({ type: 'oauth/code', code: 'code-1' });
  await settle();
  expect(app.dialogs).toEqual([blocked]);
  expect(app.deps.navigation.leaves).toEqual([]);
});
