/** @jest-environment node */
import { passwordSubmitted, usernameChangeRequested } from '@features/auth/sign-in/signIn.slice';
import type { TokenAnswer } from '@shared/api/api';
import { ApiError } from '@shared/api/apiError';
import { answers } from '../../../support/builders';
import { enterUsername, settle, signInWithPassword } from '../../../support/openApp';
import { openWith } from './openWith';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));
afterEach(() => jest.useRealTimers());

describe('an attempt that is given up', () => {
  const late = () => {
    let answer: (answer: TokenAnswer) => void = () => undefined;
    const app = openWith(answers.session());
    app.deps.api.auth.token.mockReturnValue(new Promise((resolve) => (answer = resolve)));
    return { app, answer: (tokens: TokenAnswer) => answer(tokens) };
  };

  it('by going back to the username: its late answer signs nobody in', async () => {
    const { app, answer } = late();
    await signInWithPassword(app);
    app.dispatch(usernameChangeRequested());
    answer(answers.session());
    await settle();
    expect(app.deps.cookies.contents()).toEqual({});
    expect(app.deps.navigation.leaves).toEqual([]);
    expect(app.signIn()).toMatchObject({ phase: 'username', username: 'ada@example.com' });
  });

  it('because the screen began anew: its late answer signs nobody in, and the next person can', async () => {
    const { app, answer } = late();
    await signInWithPassword(app);
    app.deps.pageLife.emit('restored');
    await settle();
    app.deps.api.auth.token.mockResolvedValue(answers.session());
    await enterUsername(app, 'nora@example.com');
    app.dispatch(passwordSubmitted('s3cret-of-nora'));
    await settle();
    answer(answers.session());
    await settle();
    expect(app.deps.api.auth.token.mock.calls.map(([{ username }]) => username)).toEqual([
      'ada@example.com',
      'nora@example.com',
    ]);
    expect(app.deps.navigation.leaves).toHaveLength(1);
  });

  it('by leaving /login: its late answer signs nobody in and opens no dialog', async () => {
    const { app, answer } = late();
    await signInWithPassword(app);
    app.deps.navigation.visit('/unauthorized');
    answer({});
    await settle();
    expect(app.dialog()).toBeUndefined();
    expect(app.deps.cookies.contents()).toEqual({});
  });

  it('does not stop the next one', async () => {
    const { app, answer } = late();
    await signInWithPassword(app, { username: 'ada' });
    app.dispatch(usernameChangeRequested());
    app.deps.api.auth.token.mockResolvedValue(answers.session({ uid: 'u_bob' }));
    await signInWithPassword(app, { username: 'bob' });
    answer(answers.session({ uid: 'u_ada' }));
    await settle();
    expect(app.deps.api.auth.token).toHaveBeenCalledTimes(2);
    expect(app.state().session.access).toMatchObject({ phase: 'active', claims: { uid: 'u_bob' } });
  });

  it('an open dialog closes when /login is left', async () => {
    const app = openWith(new ApiError('server', { status: 401 }));
    await signInWithPassword(app);
    expect(app.dialog()).toBeDefined();
    app.deps.navigation.visit('/unauthorized');
    expect(app.dialog()).toBeUndefined();
  });
});

describe('the transport', () => {
  it('is fetched with the first keystroke, once', () => {
    const app = openWith(answers.session());
    expect(app.deps.api.warmUp).not.toHaveBeenCalled();
    app.dispatch({ type: 'auth/usernameEditStarted' });
    app.dispatch({ type: 'auth/usernameEditStarted' });
    expect(app.deps.api.warmUp).toHaveBeenCalledTimes(1);
  });
});
