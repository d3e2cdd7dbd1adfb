/** @jest-environment node */
/** Tests addAfterPassword.saga, addAutomatically.saga, askPasskey.saga and offerInField.saga. */
import { wayRequested } from '@shared/slots';
import { codeSubmitted } from '@features/auth/challenge/challenge.slice';
import { usernameChangeRequested } from '@features/auth/sign-in/signIn.slice';
import { ApiError } from '@shared/api/apiError';
import type { TokenResponse } from '@shared/api/decoders';
import { accessToken, answers, hosts, passkeys, severalPersonas, tokenPair } from '../../support/builders';
import { fakeDeps, type FakeDeps, type TabOptions } from '../../support/fakeDeps';
import {
  enterUsername,
  openApp,
  pass,
  settle,
  signInWithPassword,
  type OpenApp,
} from '../../support/openApp';
import { arrangeSignIn } from '../../support/usualResponses';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));

const rpId = 'login.payments.example';
const withPasskeys = { extensions: ['passkeys'], passkeys: { rpId } };
const given = { kind: 'given', credential: passkeys.assertion } as const;
const answer = { challengeToken: 'challenge-1', credential: passkeys.assertion };
const unknown = new ApiError('server', { status: 404, serverCode: 'unknown_credential' });
const refused = new ApiError('server', { status: 401, serverCode: 'passkey_refused' });
const failing = 'Unable to sign in with a passkey';
const gone = 'This passkey is no longer valid. Sign in another way.';
const refusedOne = ['signalUnknownCredential', { rpId, credentialId: 'key-1' }];

/** `/login` in a browser that lists passkeys in fields. */
async function open(arrange: (deps: FakeDeps) => void = () => undefined, tab: TabOptions = {}) {
  const deps = fakeDeps({ config: withPasskeys, ...tab });
  arrangeSignIn(deps.api, answers.session());
  deps.authenticator.capabilities.add('conditionalGet');
  deps.api.passkeys.signInOptions.mockResolvedValue(passkeys.options);
  deps.api.passkeys.signIn.mockResolvedValue(answers.session());
  arrange(deps);
  const app = openApp(deps);
  // The chunk is loaded after the first step is drawn.
  await settle();
  await settle();
  return { app, deps, calls: deps.api.passkeys };
}

describe('in the username field', () => {
  it('a passkey of the browser’s list signs in without a username', async () => {
    const { deps, calls } = await open(({ authenticator }) => {
      authenticator.gives(given);
    });
    expect(calls.signInOptions.mock.calls).toEqual([[{}]]);
    expect(calls.signIn.mock.calls).toEqual([[answer]]);
    expect(deps.navigation.leaves).toEqual([hosts.ledger]);
    expect(deps.cookies.contents()).not.toHaveProperty('payments-test-username');
  });

  it.each<[string, (deps: FakeDeps) => void]>([
    ['without options', ({ api }) => api.passkeys.signInOptions.mockRejectedValue(new ApiError('network'))],
    ['refused by the browser', ({ authenticator }) => authenticator.gives({ kind: 'failed' })],
  ])('a request %s fails silently, is not repeated, and the form works', async (_why, arrange) => {
    const { app, deps, calls } = await open(arrange);
    expect(app.dialog()).toBeUndefined();
    expect(app.signIn().phase).toBe('username');
    await pass(600_000);
    expect(calls.signInOptions).toHaveBeenCalledTimes(1);
    await signInWithPassword(app);
    expect(deps.navigation.leaves).toEqual([hosts.ledger]);
  });

  it.each<[string, TokenResponse | ApiError, object]>([
    ['a refusal', refused, { title: 'Passkey Error', message: failing }],
    ['an unknown passkey', unknown, { title: 'Passkey Error', message: gone }],
    [
      'a failure of the service',
      new ApiError('server', { status: 503 }),
      { title: 'Passkey Error', message: failing, trouble: 'failing' },
    ],
    [
      'no answer',
      new ApiError('timeout'),
      { title: 'Passkey Error', message: failing, trouble: 'unreachable' },
    ],
    ['a challenge', answers.textChallenge(), { title: 'Passkey Error', message: failing }],
    ['neither tokens nor a next step', {}, { title: 'Passkey Error', message: failing }],
    [
      'a token without personas',
      tokenPair({ personas: {} }),
      { title: 'Login Error', message: 'create relation in db' },
    ],
  ])(
    'a chosen passkey that ends in %s shows one dialog, and is asked for again when the dialog is closed',
    async (_what, answer, dialog) => {
      // The authenticator consents without its user.
      const { app, deps, calls } = await open(({ api, authenticator }) => {
        authenticator.gives(given, given, given);
        if (answer instanceof ApiError) api.passkeys.signIn.mockRejectedValue(answer);
        else api.passkeys.signIn.mockResolvedValue(answer);
      });
      await pass(600_000);
      expect(app.dialog()).toMatchObject(dialog);
      expect(app.signIn().phase).toBe('username');
      expect([calls.signInOptions.mock.calls.length, calls.signIn.mock.calls.length]).toEqual([1, 1]);
      expect(deps.authenticator.signals).toEqual(answer === unknown ? [refusedOne] : []);
      calls.signIn.mockResolvedValue(answers.session());
      app.answerDialog(true);
      await settle();
      expect([app.dialog(), calls.signIn.mock.calls.length]).toEqual([undefined, 2]);
      expect(deps.navigation.leaves).toEqual([hosts.ledger]);
    },
  );

  it('a chosen passkey that must set up two-step verification leads to the settings', async () => {
    const { app } = await open(({ api, authenticator }) => {
      authenticator.gives(given);
      api.passkeys.signIn.mockResolvedValue({ mfaJWT: accessToken({ isMfaSetup: true }) });
    });
    expect([app.address(), app.dialog()]).toEqual(['/account-settings', undefined]);
  });

  it.each([0, 1, 'soon'])(
    'a service whose challenges live for %j ms is asked at most every 10 s',
    async (timeout) => {
      const { calls } = await open(({ api }) =>
        api.passkeys.signInOptions.mockResolvedValue({
          ...passkeys.options,
          publicKey: { ...passkeys.options.publicKey, timeout } as typeof passkeys.options.publicKey,
        }),
      );
      await pass(59_000);
      expect(calls.signInOptions.mock.calls.length).toBeLessThanOrEqual(6);
    },
  );

  it('a request ends with the username step, and a new one begins when the step is shown again', async () => {
    const { app, deps } = await open();
    const first = deps.authenticator.pending();
    await enterUsername(app);
    expect(deps.authenticator.pending()).toEqual([]);
    await app.send(usernameChangeRequested());
    expect([first, deps.authenticator.pending()]).toMatchObject([
      [{ conditional: true }],
      [{ conditional: true }],
    ]);
    expect(deps.authenticator.asked).toHaveLength(2);
  });

  it('a passkey whose check is overtaken by a restart of the screen does not sign in, and the list is offered again', async () => {
    let respond: (response: ReturnType<typeof answers.session>) => void = () => undefined;
    const { app, deps } = await open(({ api, authenticator }) => {
      authenticator.gives(given);
      api.passkeys.signIn.mockReturnValue(new Promise((resolve) => (respond = resolve)));
    });
    expect(app.signIn().phase).toBe('checkingWay');
    deps.pageLife.emit('restored');
    await settle();
    respond(answers.session());
    await settle();
    expect(app.signIn().phase).toBe('username');
    expect([deps.cookies.contents(), deps.navigation.leaves]).toEqual([{}, []]);
    expect(deps.authenticator.pending()).toMatchObject([{ conditional: true }]);
  });

  it('a request does not outlive its challenge, and is not renewed while the tab is hidden', async () => {
    const { deps, calls } = await open();
    await pass(239_000);
    expect(calls.signInOptions).toHaveBeenCalledTimes(1);
    deps.pageLife.emit('hidden');
    await pass(60_000);
    expect([calls.signInOptions.mock.calls.length, deps.authenticator.pending()]).toEqual([1, []]);
    deps.pageLife.emit('shown');
    await settle();
    expect([calls.signInOptions.mock.calls.length, deps.authenticator.pending().length]).toEqual([2, 1]);
  });

  it('without the extension nothing is asked for', async () => {
    const { app, deps, calls } = await open(undefined, { config: {} });
    await signInWithPassword(app);
    expect([deps.authenticator.asked, calls.signInOptions.mock.calls]).toEqual([[], []]);
  });
});

describe('the button after the username', () => {
  const press = async (arrange: (deps: FakeDeps) => void) => {
    const opened = await open();
    await enterUsername(opened.app);
    arrange(opened.deps);
    await opened.app.send(wayRequested('passkeys'));
    return opened;
  };

  it('signs in with a passkey of that account', async () => {
    const { deps, calls } = await press(({ authenticator }) => {
      authenticator.gives(given);
    });
    expect(calls.signInOptions.mock.lastCall).toEqual([{ username: 'ada@example.com' }]);
    expect(deps.authenticator.asked.at(-1)).toMatchObject({ conditional: false });
    expect(deps.navigation.leaves).toEqual([hosts.ledger]);
  });

  it.each<[string, (deps: FakeDeps) => void, object | undefined]>([
    [
      'says nothing when the user cancels',
      ({ authenticator }) => authenticator.gives({ kind: 'cancelled' }),
      undefined,
    ],
    [
      'says that it failed',
      ({ authenticator }) => authenticator.gives({ kind: 'failed' }),
      { message: failing },
    ],
    [
      'says that the service is out of reach',
      ({ api }) => api.passkeys.signInOptions.mockRejectedValue(new ApiError('network')),
      { message: failing, trouble: 'unreachable' },
    ],
    [
      'says that the service refused',
      ({ api, authenticator }) => {
        authenticator.gives(given);
        api.passkeys.signIn.mockRejectedValue(refused);
      },
      { message: failing },
    ],
    [
      'says that the passkey is gone',
      ({ api, authenticator }) => {
        authenticator.gives(given);
        api.passkeys.signIn.mockRejectedValue(unknown);
      },
      { message: gone },
    ],
    [
      'takes no challenge for an answer',
      ({ api, authenticator }) => {
        authenticator.gives(given);
        api.passkeys.signIn.mockResolvedValue(answers.textChallenge());
      },
      { message: failing },
    ],
  ])('%s, and a password can be entered', async (_what, arrange, dialog) => {
    const { app, deps } = await press(arrange);
    const { title, message, trouble } = app.dialog() ?? {};
    expect({ title, message, trouble }).toEqual(
      dialog ? { title: 'Passkey Error', trouble: undefined, ...dialog } : {},
    );
    expect(app.signIn().phase).toBe('choosing');
    if (dialog) app.answerDialog(true);
    await settle();
    await signInWithPassword(app);
    expect(deps.navigation.leaves).toEqual([hosts.ledger]);
  });

  it('stays in setup mode where two-step verification is required', async () => {
    const { app } = await press(({ api, authenticator }) => {
      authenticator.gives(given);
      api.passkeys.signIn.mockResolvedValue({ mfaJWT: accessToken({ isMfaSetup: true }) });
    });
    expect(app.address()).toBe('/account-settings');
    expect(app.state().session.access.phase).toBe('setup');
  });
});

it('the second step accepts a passkey instead of a code', async () => {
  const { app, deps, calls } = await open(({ api }) =>
    api.auth.token.mockResolvedValue(answers.textChallenge()),
  );
  await signInWithPassword(app);
  deps.authenticator.gives({ kind: 'cancelled' }, given);
  await app.send(wayRequested('passkeys'));
  expect([app.dialog(), app.state().auth.challenge.phase]).toEqual([undefined, 'entering']);
  await app.send(wayRequested('passkeys'));
  expect(calls.signInOptions.mock.lastCall).toEqual([{ username: 'ada@example.com' }]);
  expect(deps.navigation.leaves).toEqual([hosts.ledger]);
});

describe('after a password', () => {
  const made = { kind: 'given', credential: passkeys.made } as const;
  /** The token response with an offer. */
  const offering = () => ({ ...answers.session(), passkeyOffer: 'offer-1' });
  const byPassword = (app: OpenApp) => signInWithPassword(app);
  const signIn = async (
    arrange: (deps: FakeDeps) => void,
    tab: TabOptions = {},
    enter: (app: OpenApp) => Promise<void> = byPassword,
  ) => {
    const opened = await open((deps) => {
      deps.authenticator.capabilities.clear();
      deps.authenticator.capabilities.add('conditionalCreate');
      deps.api.auth.token.mockResolvedValue(offering());
      deps.api.passkeys.addOptions.mockResolvedValue(passkeys.creationOptions);
      deps.api.passkeys.add.mockResolvedValue(passkeys.entry);
      arrange(deps);
    }, tab);
    await enter(opened.app);
    return opened;
  };

  it('a browser that supports it creates the offered passkey without asking', async () => {
    const { deps, calls } = await signIn(({ authenticator }) => {
      authenticator.gives(made);
    });
    expect(calls.addOptions.mock.calls).toEqual([[expect.any(String), { passkeyOffer: 'offer-1' }]]);
    expect(deps.authenticator.asked).toMatchObject([{ method: 'create', conditional: true }]);
    expect(calls.add.mock.lastCall?.[1]).toEqual({
      challengeToken: 'challenge-1',
      credential: passkeys.made,
    });
    expect(deps.navigation.leaves).toEqual([hosts.ledger]);
  });

  it('the offer of the second step is used once, and is gone with the page', async () => {
    const { app, deps, calls } = await signIn(
      ({ api, authenticator }) => {
        authenticator.gives(made);
        api.auth.token.mockResolvedValueOnce(answers.appChallenge()).mockResolvedValue({
          ...offering(),
          ...answers.session({ personas: severalPersonas }),
        });
      },
      {},
      async (app) => {
        await signInWithPassword(app);
        await app.send(codeSubmitted({ code: '123456', trust: false }));
      },
    );
    expect(app.address()).toBe('/account-settings');
    await pass(600_000);
    expect(calls.addOptions.mock.calls).toEqual([[expect.any(String), { passkeyOffer: 'offer-1' }]]);
    const kept = [app.state(), deps.cookies.contents(), deps.navigation.current(), deps.log];
    expect(JSON.stringify(kept)).not.toContain('offer-1');
  });

  it('the page leaves after 2 s without an answer of the browser', async () => {
    const { deps } = await signIn(() => undefined);
    await pass(1999);
    expect(deps.navigation.leaves).toEqual([]);
    await pass(1);
    expect([deps.navigation.leaves, deps.authenticator.pending()]).toEqual([[hosts.ledger], []]);
  });

  it.each<[string, (deps: FakeDeps) => void, TabOptions]>([
    ['in a browser that cannot', ({ authenticator }) => authenticator.capabilities.clear(), {}],
    ['in a frame', () => undefined, { embedding: 'trusted' }],
    [
      'in setup mode',
      ({ api }) => {
        const inSetUp = { ...offering(), mfaJWT: accessToken({ isMfaSetup: true }) };
        api.auth.token.mockResolvedValue(inSetUp);
      },
      {},
    ],
    ['where the service offers none', ({ api }) => api.auth.token.mockResolvedValue(answers.session()), {}],
    [
      'where the offer is no text',
      ({ api }) => {
        const wrong = { ...answers.session(), passkeyOffer: true };
        api.auth.token.mockResolvedValue(wrong);
      },
      {},
    ],
  ])('none is made, and no call, %s', async (_where, arrange, tab) => {
    const { app, deps, calls } = await signIn(arrange, tab);
    await pass(600_000);
    expect([calls.addOptions.mock.calls, deps.authenticator.asked, app.dialog()]).toEqual([
      [],
      [],
      undefined,
    ]);
    expect(app.state().session.access.phase).not.toBe('anonymous');
  });

  it.each<[string, (deps: FakeDeps) => void]>([
    [
      'the service refuses the offer',
      ({ api }) => api.passkeys.addOptions.mockRejectedValue(new ApiError('server', { status: 401 })),
    ],
    ['the browser makes none', ({ authenticator }) => authenticator.gives({ kind: 'failed' })],
    [
      'the service refuses the passkey',
      ({ api, authenticator }) => {
        authenticator.gives(made);
        api.passkeys.add.mockRejectedValue(new ApiError('server', { status: 400 }));
      },
    ],
  ])('nothing is said where %s, and it is not tried again', async (_why, arrange) => {
    const { app, deps, calls } = await signIn(arrange);
    await pass(600_000);
    expect([app.dialog(), calls.addOptions.mock.calls.length]).toEqual([undefined, 1]);
    expect(deps.navigation.leaves).toEqual([hosts.ledger]);
  });
});
