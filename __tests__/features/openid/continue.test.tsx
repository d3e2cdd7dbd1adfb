import { identityPasswordSubmitted } from '@features/auth/verify-identity/verification.slice';
import { requestAnswered, selectContinue } from '@features/openid/continue.slice';
import type { OpenIdRequest } from '@features/openid/openid.calls';
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
async function open(request = consent, arrange: (deps: FakeDeps) => void = () => undefined, tab = link) {
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

describe('the screen', () => {
  it('says where it leads, who is signed in and what the application will see, and posts nothing', async () => {
    const { app, deps, openid } = await draw();
    expect(screen.getByRole('heading', { name: 'Continue to Reports' })).toHaveFocus();
    expect(document.title).toContain('Continue to Reports');
    expect(screen.getByText('Signed in as ada.')).toBeVisible();
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

  it('setup mode leads to the settings', async () => {
    const { app, openid } = await open(consent, (deps) => {
      deps.cookies.remove('payments-test-session');
      putSetup(deps);
    });
    expect(app.address()).toBe('/account-settings');
    expect(openid.request).not.toHaveBeenCalled();
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
