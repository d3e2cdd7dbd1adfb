/** @jest-environment node */
import { usernameChangeRequested, usernameSubmitted } from '@features/auth/sign-in/signIn.slice';
import type { LoginMethod } from '@shared/api/decoders';
import { ApiError } from '@shared/api/apiError';
import { methods } from '../../../support/builders';
import { fakeDeps } from '../../../support/fakeDeps';
import { enterUsername, openApp } from '../../../support/openApp';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));

const openWith = (answer: readonly LoginMethod[] | ApiError) => {
  const app = openApp(fakeDeps());
  if (answer instanceof ApiError) app.deps.api.auth.methods.mockRejectedValue(answer);
  else app.deps.api.auth.methods.mockResolvedValue(answer);
  return app;
};

describe('after the username was submitted', () => {
  it('the service is called once, with the username as entered, trimmed', async () => {
    const app = openWith([methods.basic]);
    await enterUsername(app, '  Ada.Lovelace+test@example.com\t');
    expect(app.deps.api.auth.methods.mock.calls).toEqual([['Ada.Lovelace+test@example.com']]);
    expect(app.signIn()).toMatchObject({ phase: 'choosing', username: 'Ada.Lovelace+test@example.com' });
  });

  it.each(['', '   '])('the service is not called for %j', async (username) => {
    const app = openWith([methods.basic]);
    await enterUsername(app, username);
    expect(app.deps.api.auth.methods).not.toHaveBeenCalled();
    expect(app.signIn().phase).toBe('username');
  });

  it('submitted twice while the answer is pending, it is one call', async () => {
    const app = openWith([methods.basic]);
    app.dispatch(usernameSubmitted({ username: 'ada', rememberMe: false }));
    await app.send(usernameSubmitted({ username: 'ada', rememberMe: false }));
    expect(app.deps.api.auth.methods).toHaveBeenCalledTimes(1);
    expect(app.signIn().phase).toBe('choosing');
  });

  it.each<readonly [string, readonly LoginMethod[]]>([
    ['the password alone', [methods.basic]],
    ['password and Google', [methods.basic, methods.google]],
    ['two providers', [methods.google, methods.microsoft]],
    ['all three', [methods.basic, methods.google, methods.microsoft]],
  ])('the methods are shown, and none starts automatically: %s', async (_name, offered) => {
    const app = openWith(offered);
    await enterUsername(app);
    expect(app.signIn()).toMatchObject({ phase: 'choosing', methods: offered, failures: 0 });
    expect(app.dialog()).toBeUndefined();
    expect(app.deps.popup.windows).toEqual([]);
    expect(app.deps.api.auth.token).not.toHaveBeenCalled();
  });

  it.each<readonly [string, readonly LoginMethod[] | ApiError, object]>([
    ['returned nothing', [], {}],
    ['was rejected', new ApiError('server', { status: 404, serverMessage: 'No such user' }), {}],
    ['failed at the service', new ApiError('server', { status: 500 }), { trouble: 'failing' }],
    ['had no response', new ApiError('network'), { trouble: 'unreachable' }],
    ['took too long', new ApiError('timeout'), { trouble: 'unreachable' }],
    ['returned another shape', new ApiError('unexpected', { status: 200 }), {}],
  ])('the error is No Login Methods available when the call %s', async (_name, answer, trouble) => {
    const app = openWith(answer);
    await enterUsername(app, 'ada', true);
    expect(app.dialog()).toEqual({
      id: 'login-error',
      kind: 'alert',
      title: 'Login Error',
      message: 'No Login Methods available',
      confirmLabel: 'Ok',
      ...trouble,
    });
    // The input stays, so that a typing error can be corrected.
    expect(app.signIn()).toEqual({ phase: 'username', username: 'ada', rememberMe: true });
    app.answerDialog(true);
    expect(app.dialog()).toBeUndefined();
  });

  it('the username can be submitted again after the error, and even while its dialog is open', async () => {
    const app = openWith(new ApiError('network'));
    await enterUsername(app);
    app.deps.api.auth.methods.mockResolvedValue([methods.basic]);
    await enterUsername(app);
    expect(app.signIn().phase).toBe('choosing');
  });
});

it('on the second step the back link leads to the first step, with the entered name and choice', async () => {
  const app = openWith([methods.basic]);
  await enterUsername(app, 'ada', true);
  app.dispatch(usernameChangeRequested());
  expect(app.signIn()).toEqual({ phase: 'username', username: 'ada', rememberMe: true });
});
