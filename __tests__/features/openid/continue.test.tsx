/** Tests continue.saga, continue.slice and secondStep.saga. */
import {
  identityPasswordSubmitted,
  verificationStarted,
} from '@features/auth/verify-identity/verification.slice';
import { requestAnswered, selectContinue } from '@features/openid/continue.slice';
import type { OpenIdRequest } from '@features/openid/openid.calls';
import { newPasswordSubmitted } from '@features/password/save/newPassword.slice';
import { logoutRequested } from '@features/session';
import { ApiError } from '@shared/api/apiError';
import { act, screen, within } from '@testing-library/react';
import { accessToken, answers, hosts, severalPersonas } from '../../support/builders';
import { fakeDeps, type FakeDeps, type TabOptions } from '../../support/fakeDeps';
import { openApp, settle, signInWithPassword } from '../../support/openApp';
import { renderApp, user } from '../../support/renderApp';
import { arrangeSignIn } from '../../support/usualResponses';
import { put, putSetup } from '../../support/sessionCookies';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));

const here = '/continue/q-1';
const link: TabOptions = { path: here, config: { extensions: ['openid'] } };
const consent: OpenIdRequest = {
  name: 'Reports',
  needsIdentity: false,
  needsConsent: true,
  needsCode: false,
  asksWho: false,
  what: ['name', 'email', 'applications', 'offline'],
};
const identity: OpenIdRequest = {
  ...consent,
  needsIdentity: true,
  needsConsent: false,
  what: ['name'],
};
const service = 'http://api.payments.localhost:4000';
const provider = (rest: string) => `${service}/oidc/${rest}`;
const noResponse = new ApiError('network');
const refusal = (status: number, serverCode = 'not_found') => new ApiError('server', { status, serverCode });
const unreached = 'We could not reach the service. Check your connection and try again.';

/** Opens the page with a session, unless `arrange` takes it away. */
async function open(
  request: OpenIdRequest = consent,
  arrange: (deps: FakeDeps) => void = () => undefined,
  tab = link,
) {
  const deps = fakeDeps(tab);
  put(deps, { token: accessToken({ username: 'ada', lifeSeconds: 86_400 }), refresh: 'r' });
  const { openid, auth } = deps.api;
  openid.request.mockResolvedValue(request);
  openid.answer.mockResolvedValue(provider('auth/q-1'));
  auth.validatePassword.mockResolvedValue({ authVerificationToken: 'vt-1' });
  arrange(deps);
  const app = openApp(deps);
  await settle();
  return { app, deps, openid, bearer: (): unknown => openid.request.mock.calls[0]?.[0] };
}

async function draw(...options: Parameters<typeof open>) {
  const opened = await open(...options);
  await renderApp(opened.app);
  return opened;
}

const press = async (name: string) => {
  await user.click(screen.getByRole('button', { name }));
  await act(settle);
};
const answered = ({ openid }: Pick<FakeDeps['api'], 'openid'>) =>
  openid.answer.mock.calls.map(([, ...rest]) => rest);

/** Matches a paragraph by its whole text, because a name in it is an element of its own. */
const paragraph = (text: string) => (_own: string, element: Element | null) =>
  element?.localName === 'p' && element.textContent === text;

describe('the screen', () => {
  it('says where it leads, who is signed in and what the application will see, and posts nothing', async () => {
    const { app, deps, openid } = await draw();
    expect(screen.getByRole('heading', { name: 'Continue to Reports' })).toHaveFocus();
    expect(document.title).toContain('Continue to Reports');
    expect(screen.getByText(paragraph('Signed in as ada.'))).toBeVisible();
    const list = screen.getByRole('list', { name: 'Reports will see:' });
    expect(
      within(list)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual([
      'Your name',
      'Your e-mail address',
      'The applications you use',
      'It stays connected while you are away',
    ]);
    expect(openid.request.mock.calls).toEqual([[expect.any(String), 'q-1']]);
    expect(openid.answer).not.toHaveBeenCalled();
    expect(deps.navigation.leaves).toEqual([]);
    expect(JSON.stringify(app.state())).not.toContain('q-1');
  });

  it('shows no list where no consent is due', async () => {
    await draw(identity);
    expect(screen.getByRole('heading', { name: 'Continue to Reports' })).toBeVisible();
    expect(screen.queryByRole('list')).toBeNull();
  });

  it.each([
    ['Continue', true],
    ['Cancel', false],
  ])(
    '%s sends one call however often it is pressed, and goes where the service says',
    async (name, allow) => {
      let respond = (_url: string): void => undefined;
      const { deps, openid } = await draw(consent, ({ api }) =>
        api.openid.answer.mockReturnValue(new Promise((resolve) => (respond = resolve))),
      );
      await press(name);
      for (const again of ['Continue', 'Cancel']) await press(again);
      expect(answered({ openid })).toEqual([['q-1', { allow }]]);
      expect(deps.navigation.leaves).toEqual([]);
      respond(provider('auth/q-1'));
      await act(settle);
      expect(deps.navigation.leaves).toEqual([provider('auth/q-1')]);
    },
  );

  it("'Use Another Account' signs out, and the sign-in page leads back", async () => {
    const { app, deps, openid } = await draw();
    await user.click(screen.getByRole('link', { name: 'Use Another Account' }));
    await act(settle);
    expect(app.address()).toBe(`/login?url=${encodeURIComponent(here)}`);
    expect(deps.cookies.contents()).toEqual({});
    expect(openid.answer).not.toHaveBeenCalled();
  });
});

describe('a request that needs a proof of identity', () => {
  const prove = (app: Awaited<ReturnType<typeof open>>['app']) =>
    app.send(identityPasswordSubmitted('Corr3ct-horse'));

  it('goes on by itself after the proof, with one call', async () => {
    const { app, deps, openid } = await open(identity);
    await app.send(requestAnswered({ allow: true }));
    expect(app.address()).toBe('/ask-password/continue');
    expect(openid.answer).not.toHaveBeenCalled();
    await prove(app);
    expect(answered({ openid })).toEqual([['q-1', { allow: true, authVerificationToken: 'vt-1' }]]);
    expect(openid.request).toHaveBeenCalledTimes(1);
    expect(deps.navigation.leaves).toEqual([provider('auth/q-1')]);
    expect(JSON.stringify(app.state())).not.toMatch(/q-1|vt-1|Corr3ct/);
    expect(deps.vault.get('openid')).toBeUndefined();
  });

  it('is cancelled without a proof', async () => {
    const { app, deps, openid } = await open(identity);
    await app.send(requestAnswered({ allow: false }));
    expect(answered({ openid })).toEqual([['q-1', { allow: false }]]);
    expect(deps.navigation.leaves).toHaveLength(1);
  });

  it('is asked again where the user comes back without a proof', async () => {
    const { app, openid } = await open(identity);
    await app.send(requestAnswered({ allow: true }));
    await app.visit(here);
    expect(selectContinue(app.state()).phase).toBe('asking');
    expect(openid.answer).not.toHaveBeenCalled();
  });

  it('is led back to where the user resets the password instead, until it is proved', async () => {
    const { app, deps } = await open(identity);
    await app.send(requestAnswered({ allow: true }));
    const reset = async (): Promise<string> => {
      const other = { ...fakeDeps({ path: '/reset-password/h-1' }), storage: deps.storage };
      other.api.password.reset.mockResolvedValue(undefined);
      const tab = openApp(other);
      await settle();
      await tab.send(newPasswordSubmitted({ password: 'Front-door7', confirm: 'Front-door7' }));
      await jest.advanceTimersByTimeAsync(2500);
      return tab.address();
    };
    expect(await reset()).toBe(`/login?url=${encodeURIComponent(here)}`);
    await app.visit(here);
    await app.send(requestAnswered({ allow: true }));
    await prove(app);
    expect(await reset()).toBe('/login');
  });

  it('is given up where the user leaves verify identity: its address alone then leads to the settings', async () => {
    const { app, openid } = await open(identity);
    await app.send(requestAnswered({ allow: true }));
    await app.visit('/mfa-options');
    await app.visit('/ask-password/continue');
    expect(app.address()).toBe('/account-settings');
    expect(openid.answer).not.toHaveBeenCalled();
  });

  it('is asked again where the service refuses the proof', async () => {
    const { app, openid } = await open(identity, ({ api }) =>
      api.openid.answer.mockRejectedValueOnce(refusal(401, 'invalid_verification')),
    );
    await app.send(requestAnswered({ allow: true }));
    await prove(app);
    expect(selectContinue(app.state()).phase).toBe('asking');
    await app.send(requestAnswered({ allow: true }));
    await prove(app);
    expect(openid.answer).toHaveBeenCalledTimes(2);
  });

  it('sends the same proof again on a press where there was no response', async () => {
    const { app, deps, openid } = await draw(identity, ({ api }) =>
      api.openid.answer.mockRejectedValueOnce(noResponse),
    );
    await press('Continue');
    await act(() => prove(app));
    expect(screen.getByRole('alert')).toHaveTextContent(unreached);
    await press('Try Again');
    const call = ['q-1', { allow: true, authVerificationToken: 'vt-1' }];
    expect(answered({ openid })).toEqual([call, call]);
    expect(deps.navigation.leaves).toHaveLength(1);
  });
});

describe('a request that asks which account is used', () => {
  it('asks whether to continue as the user, and goes on', async () => {
    const { deps, openid } = await draw({ ...consent, needsConsent: false, asksWho: true });
    expect(screen.getByText(paragraph('Continue as ada?'))).toBeVisible();
    expect(screen.queryByText('Signed in as ada.')).toBeNull();
    expect(screen.getByRole('link', { name: 'Use Another Account' })).toBeVisible();
    await press('Continue');
    expect(answered({ openid })).toEqual([['q-1', { allow: true }]]);
    expect(deps.navigation.leaves).toHaveLength(1);
  });
});

describe('a proof with a second step', () => {
  const twoSteps: OpenIdRequest = { ...identity, needsCode: true };
  /** Proves the identity by the password, and waits for the boxes. */
  const proved = async (
    lastFourPhone: string | null,
    arrange: (deps: FakeDeps) => void = () => undefined,
  ) => {
    const opened = await draw(twoSteps, (deps) => {
      deps.api.openid.sendCode.mockResolvedValue({ lastFourPhone });
      arrange(deps);
    });
    await press('Continue');
    await act(() => opened.app.send(identityPasswordSubmitted('Corr3ct-horse')));
    return opened;
  };
  const enter = async (code: string) => {
    const [first] = screen.getAllByRole('textbox');
    if (first) await user.type(first, code);
    await press('Verify');
  };
  const withCode = (code: string) => ['q-1', { allow: true, authVerificationToken: 'vt-1', code }];
  const wrongCode = new ApiError('server', { status: 401, serverCode: 'code_wrong' });
  const sentTo = (deps: FakeDeps) => deps.api.openid.sendCode.mock.calls.map(([, ...rest]) => rest);

  it.each([
    [
      'of the text message',
      '0143',
      'We just sent a text message with your verification code to your phone number ending in 0143.',
    ],
    ['that the app shows', null, 'Enter the 6-digit code from your app'],
  ])('asks for the code %s, and goes on by itself', async (_what, lastFourPhone, sentence) => {
    const { app, deps, openid } = await proved(lastFourPhone);
    expect(app.address()).toBe(here);
    expect(screen.getByText(sentence)).toBeVisible();
    expect(sentTo(deps)).toEqual([['q-1', { authVerificationToken: 'vt-1' }]]);
    expect(openid.answer).not.toHaveBeenCalled();
    expect(screen.queryByRole('button', { name: 'Resend' }) !== null).toBe(lastFourPhone !== null);
    await enter('123456');
    expect(answered({ openid })).toEqual([withCode('123456')]);
    expect(deps.navigation.leaves).toEqual([provider('auth/q-1')]);
    expect(JSON.stringify(app.state())).not.toMatch(/q-1|vt-1|123456|Corr3ct/);
  });

  it('a wrong code has its dialog, and the next one goes on', async () => {
    const { deps, openid } = await proved(null, ({ api }) =>
      api.openid.answer.mockRejectedValueOnce(wrongCode),
    );
    await enter('111111');
    expect(screen.getByRole('alertdialog')).toHaveTextContent('Incorrect Security or Verification Code');
    await press('Ok');
    await act(() => jest.advanceTimersByTimeAsync(1500));
    await enter('123456');
    expect(answered({ openid })).toEqual([withCode('111111'), withCode('123456')]);
    expect(deps.navigation.leaves).toHaveLength(1);
  });

  it('Resend sends another text message and says so', async () => {
    const { deps } = await proved('0143');
    await press('Resend');
    expect(deps.api.openid.sendCode).toHaveBeenCalledTimes(2);
    expect(screen.getByText('A new six digit code has been sent to your phone')).toBeVisible();
  });

  it('Cancel answers without the proof', async () => {
    const { deps, openid } = await proved('0143');
    await press('Cancel');
    expect(answered({ openid })).toEqual([['q-1', { allow: false }]]);
    expect(deps.navigation.leaves).toHaveLength(1);
  });

  it('by another way needs no code', async () => {
    const { app, deps, openid } = await open(twoSteps);
    await app.send(requestAnswered({ allow: true }));
    deps.vault.put('verification', { authVerificationToken: 'vt-2', byOtherWay: true });
    await app.send(verificationStarted({ purpose: 'continue', expiresAt: deps.clock.now() + 180_000 }));
    expect(answered({ openid })).toEqual([['q-1', { allow: true, authVerificationToken: 'vt-2' }]]);
    expect(openid.sendCode).not.toHaveBeenCalled();
    expect(deps.navigation.leaves).toHaveLength(1);
  });

  it('that was set up meanwhile is asked for when the answer is refused', async () => {
    const { app, deps } = await open(identity, ({ api }) => {
      api.openid.answer.mockRejectedValueOnce(wrongCode);
      api.openid.sendCode.mockResolvedValue({ lastFourPhone: null });
    });
    await app.send(requestAnswered({ allow: true }));
    await app.send(identityPasswordSubmitted('Corr3ct-horse'));
    expect(selectContinue(app.state()).phase).toBe('code');
    expect(sentTo(deps)).toEqual([['q-1', { authVerificationToken: 'vt-1' }]]);
  });

  it('says why there is no code, and asks again', async () => {
    const { app, openid } = await proved('0143', ({ api }) =>
      api.openid.sendCode.mockRejectedValue(
        new ApiError('server', { status: 429, serverCode: 'rate_limited', serverMessage: 'Too many texts.' }),
      ),
    );
    expect(screen.getByRole('alertdialog', { name: 'Verification Error' })).toHaveTextContent(
      'Too many texts.',
    );
    await press('Ok');
    expect(selectContinue(app.state()).phase).toBe('asking');
    expect(openid.request).toHaveBeenCalledTimes(2);
  });

  it('asks again where the time of the proof is over', async () => {
    const { app } = await proved(null, ({ api }) =>
      api.openid.answer.mockRejectedValue(
        new ApiError('server', {
          ...{ status: 401, serverCode: 'invalid_verification' },
          serverMessage: 'Please verify your identity again.',
        }),
      ),
    );
    await enter('123456');
    expect(screen.getByRole('alertdialog')).toHaveTextContent('Please verify your identity again.');
    await press('Ok');
    expect(selectContinue(app.state()).phase).toBe('asking');
  });

  it('sends the same code again on a press where there was no response', async () => {
    const { deps, openid } = await proved(null, ({ api }) =>
      api.openid.answer.mockRejectedValueOnce(noResponse),
    );
    await enter('123456');
    expect(screen.getByRole('alert')).toHaveTextContent(unreached);
    await press('Try Again');
    expect(answered({ openid })).toEqual([withCode('123456'), withCode('123456')]);
    expect(deps.navigation.leaves).toHaveLength(1);
  });
});

describe('a request that is over', () => {
  const over = { over: { name: 'Reports', url: 'https://reports.example.com/start' } };

  it('offers to sign in to the application again, which leaves for it', async () => {
    const { app, deps, openid } = await draw(consent, ({ api }) =>
      api.openid.request.mockResolvedValue(over),
    );
    expect(screen.getByRole('heading', { name: 'Continue to Reports' })).toHaveFocus();
    expect(screen.getByText(paragraph('Sign in to Reports again.'))).toBeVisible();
    expect(deps.navigation.leaves).toEqual([]);
    await press('Reports');
    expect(deps.navigation.leaves).toEqual(['https://reports.example.com/start']);
    expect(app.address()).toBe(here);
    expect(openid.answer).not.toHaveBeenCalled();
  });

  it.each([
    ['Continue', true],
    ['Cancel', false],
  ])('after an answer in another tab, %s offers it too', async (name) => {
    const { deps } = await draw(consent, ({ api }) => api.openid.answer.mockResolvedValue(over));
    await press(name);
    expect(screen.getByText(paragraph('Sign in to Reports again.'))).toBeVisible();
    expect(deps.navigation.leaves).toEqual([]);
  });

  it('is offered where the browser comes back after Cancel', async () => {
    const { app, deps, openid } = await draw();
    await press('Cancel');
    openid.request.mockResolvedValue(over);
    await act(async () => {
      deps.pageLife.emit('left');
      deps.pageLife.emit('restored');
      await settle();
    });
    expect(screen.getByText(paragraph('Sign in to Reports again.'))).toBeVisible();
    expect(app.address()).toBe(here);
  });

  it('is offered again where the browser comes back from the application', async () => {
    const { deps } = await draw(consent, ({ api }) => api.openid.request.mockResolvedValue(over));
    await press('Reports');
    await act(async () => {
      deps.pageLife.emit('left');
      deps.pageLife.emit('restored');
      await settle();
    });
    await press('Reports');
    expect(deps.navigation.leaves).toHaveLength(2);
  });

  it('leads to the page for invalid links where the application has no address', async () => {
    const { app } = await open(consent, ({ api }) => api.openid.request.mockResolvedValue({ over: null }));
    expect(app.address()).toBe('/unauthorized');
  });

  it('is offered where the code is asked for', async () => {
    const { app } = await open({ ...identity, needsCode: true }, ({ api }) =>
      api.openid.sendCode.mockResolvedValue(over),
    );
    await app.send(requestAnswered({ allow: true }));
    await app.send(identityPasswordSubmitted('Corr3ct-horse'));
    expect(selectContinue(app.state()).phase).toBe('over');
  });
});

describe('who may see the screen', () => {
  it.each([
    ['one persona', {}],
    ['several', { personas: severalPersonas }],
  ])('without a session the sign-in page leads back: %s', async (_who, claims) => {
    const { app, deps, openid } = await open(consent, ({ cookies, api }) => {
      cookies.remove('payments-test-session');
      arrangeSignIn(api, answers.session(claims));
    });
    expect(app.address()).toBe('/login?url=%2Fcontinue%2Fq-1');
    expect(openid.request).not.toHaveBeenCalled();
    await signInWithPassword(app);
    expect(deps.navigation.leaves).toEqual([hosts.login + here]);
  });

  it('setup mode leads to the settings, and after it /login leads back', async () => {
    const { app, deps, openid } = await open(consent, (deps) => {
      deps.cookies.remove('payments-test-session');
      putSetup(deps);
    });
    expect(app.address()).toBe('/account-settings');
    expect(openid.request).not.toHaveBeenCalled();
    await app.send(logoutRequested());
    expect(deps.navigation.leaves).toEqual([`${hosts.login}/login?url=${encodeURIComponent(here)}`]);
  });

  it('no parent may frame it', async () => {
    const { app, openid } = await open(consent, undefined, { ...link, embedding: 'trusted' });
    await renderApp(app);
    expect(screen.getByText('This page cannot be shown inside another site.')).toBeVisible();
    expect(openid.request).not.toHaveBeenCalled();
  });

  it('without the extension it is an unknown address', async () => {
    const { app, openid } = await open(consent, undefined, { path: here });
    expect(app.address()).toBe('/account-settings');
    expect(openid.request).not.toHaveBeenCalled();
  });
});

describe('a failure', () => {
  it.each([404, 400, 403])(
    'a refusal (%s) of the request leads to the page for invalid links',
    async (status) => {
      const { app } = await open(consent, ({ api }) => api.openid.request.mockRejectedValue(refusal(status)));
      expect(app.address()).toBe('/unauthorized');
    },
  );

  it('of an answer that is refused leads there too', async () => {
    const { app, deps } = await open(consent, ({ api }) => api.openid.answer.mockRejectedValue(refusal(404)));
    await app.send(requestAnswered({ allow: true }));
    expect(app.address()).toBe('/unauthorized');
    expect(deps.navigation.leaves).toEqual([]);
  });

  it('an id that cannot be one makes no call', async () => {
    const { app, openid } = await open(consent, undefined, { ...link, path: `/continue/${'x'.repeat(513)}` });
    expect(app.address()).toBe('/unauthorized');
    expect(openid.request).not.toHaveBeenCalled();
  });

  it.each([
    ['no response', noResponse],
    ['a 5xx', refusal(503, 'failed')],
  ])('%s to the request is tried again on a press', async (_what, error) => {
    const { openid } = await draw(consent, ({ api }) => api.openid.request.mockRejectedValueOnce(error));
    expect(screen.getByRole('alert')).toHaveTextContent(unreached);
    await press('Try Again');
    expect(screen.getByRole('heading', { name: 'Continue to Reports' })).toBeVisible();
    expect(openid.request).toHaveBeenCalledTimes(2);
  });

  it('the same answer is sent again on a press', async () => {
    const { deps, openid } = await draw(consent, ({ api }) =>
      api.openid.answer.mockRejectedValueOnce(refusal(502, 'failed')),
    );
    await press('Cancel');
    expect(screen.getByRole('alert')).toHaveTextContent(unreached);
    await press('Try Again');
    expect(answered({ openid })).toEqual([
      ['q-1', { allow: false }],
      ['q-1', { allow: false }],
    ]);
    expect(deps.navigation.leaves).toHaveLength(1);
  });

  it.each([
    ['the application itself', 'https://reports.example.com/callback?code=1'],
    ['a host that redirects may lead to', hosts.ledger],
    ['another part of the service', `${service}/auth/v1/token`],
    ['a path of the login host', '/account-settings'],
    ['a path that only begins alike', `${service}/oidc.evil/x`],
  ])('%s is not followed', async (_where, url) => {
    const { app, deps } = await open(consent, ({ api }) => api.openid.answer.mockResolvedValue(url));
    await app.send(requestAnswered({ allow: true }));
    expect(deps.navigation.leaves).toEqual([]);
    expect(selectContinue(app.state()).phase).toBe('unreached');
  });
});

it('a page that the browser brings back asks again', async () => {
  const { app, deps, openid } = await open();
  await app.send(requestAnswered({ allow: true }));
  deps.pageLife.emit('left');
  deps.pageLife.emit('restored');
  await settle();
  expect(openid.request).toHaveBeenCalledTimes(2);
  expect(selectContinue(app.state()).phase).toBe('asking');
});
