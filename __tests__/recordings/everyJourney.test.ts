import { providerRequested } from '@features/auth/provider/providerAttempt.slice';
import { formatRecording, makeRecording } from '@app/crash/recording';
import { scenarios, stateOf } from '@app/lab/scenarios';
import { createAppStore } from '@app/store';
import { codeSubmitted } from '@features/auth/challenge/challenge.slice';
import { passwordSubmitted, usernameSubmitted } from '@features/auth/sign-in/signIn.slice';
import { identityPasswordSubmitted } from '@features/auth/verify-identity/verification.slice';
import { enrolmentMethodChosen, turnOffRequested } from '@features/mfa';
import { phoneSubmitted, enrolmentCodeSubmitted } from '@features/mfa/enrolment/enrolment.slice';
import { sessionAbsent } from '@features/session';
import { dialogAnswered, selectTopDialog } from '@features/ui-dialogs';
import { ApiError } from '@shared/api/apiError';
import type { TokenResponse } from '@shared/api/decoders';
import { now } from '../devtools/markedSecrets';
import {
  answers,
  methods,
  severalPersonas,
  testConfig,
  tokenPair,
  userAttributes,
} from '../support/builders';
import { fakeBrowser, type FakeBrowser, type FakeDeps, type TabOptions } from '../support/fakeDeps';
import { pass, settle } from '../support/openApp';
import { put } from '../support/sessionCookies';
import { replayJourney } from '../support/replayJourney';
import { journeys, type Drive, type Journey } from '../devtools/journeys';

/** What 'Copy details' copies at the end of a journey. */
async function recordingOf(journey: Pick<Journey, 'open' | 'run'>): Promise<string> {
  jest.useFakeTimers({ now });
  const browser = fakeBrowser();
  const deps = journey.open(browser);
  const { store, start, log } = createAppStore();
  start(deps);
  await settle();
  const act: Drive['act'] = async (action) => {
    await pass(2000);
    store.dispatch(action);
    await settle();
  };
  await journey.run({
    deps,
    browser,
    act,
    pass,
    confirm: async () => {
      const top = selectTopDialog(store.getState());
      if (!top) throw new Error('No dialog is open');
      await act(dialogAnswered({ id: top.id, confirmed: true }));
    },
    happen: async (what) => {
      what();
      await settle();
    },
  });
  await pass(100);
  const text = formatRecording(
    makeRecording(log, { config: deps.config, look: 'default', embedding: 'none' }),
  );
  jest.useRealTimers();
  return text;
}

/** Texts of the dialogs in all recordings. */
const shown = new Set<string>();

async function expectAgain(journey: Pick<Journey, 'open' | 'run'>): Promise<void> {
  const text = await recordingOf(journey);
  const { recorded, played } = await replayJourney(text);
  expect(played).toEqual(recorded);
  for (const [, message = ''] of text.matchAll(/"message":("(?:[^"\\]|\\.)*")/g))
    shown.add(JSON.parse(message) as string);
}

interface Case {
  readonly at?: TabOptions;
  readonly arrange?: (deps: FakeDeps) => void;
  readonly run: (drive: Drive) => Promise<void>;
}

const refused = (details: ConstructorParameters<typeof ApiError>[1] = {}) =>
  new ApiError('server', { status: 400, ...details });
const username = usernameSubmitted({ username: 'ada@example.com', rememberMe: false });

const signIn = async ({ act }: Drive): Promise<void> => {
  await act(username);
  await act(passwordSubmitted('Corr3ct-horse'));
};
const signInWithCode = async (drive: Drive): Promise<void> => {
  await signIn(drive);
  await drive.act(codeSubmitted({ code: '123456', trust: false }));
};
const byProvider = (method: 'google' | 'microsoft', answer: object) => async (drive: Drive) => {
  await drive.act(username);
  await drive.act(providerRequested(method));
  await drive.happen(() => drive.deps.popup.windows.at(-1)?.say(answer));
};
const enrolPhone = async ({ act }: Drive): Promise<void> => {
  await act(enrolmentMethodChosen({ method: 'text' }));
  await act(identityPasswordSubmitted('Corr3ct-horse'));
  const entry = { country: 'US', text: '(202) 555-0143' } as const;
  await act(phoneSubmitted({ entry, number: { phone: '+12025550143', countryCode: 'US' } }));
};
const signedIn: TabOptions = { path: '/mfa-options' };
const challenged =
  (...then: readonly TokenResponse[]) =>
  ({ api }: FakeDeps) => {
    for (const answer of [answers.appChallenge(), ...then]) api.auth.token.mockResolvedValueOnce(answer);
  };
const blockCookies = ({ cookies }: FakeDeps) => cookies.refuse('payments-test-session');

/** One for each text that a dialog can show, as far as no journey shows it. */
const errors: Readonly<Record<string, Case>> = {
  'no methods': {
    arrange: ({ api }) => api.auth.methods.mockResolvedValue([]),
    run: ({ act }) => act(username),
  },
  'a refused password': { arrange: ({ api }) => api.auth.token.mockRejectedValue(refused()), run: signIn },
  'a refused provider': {
    arrange: ({ api }) => api.auth.token.mockRejectedValue(refused()),
    run: byProvider('google', { type: 'oauth/code', code: 'c' }),
  },
  'a broken challenge': {
    arrange: ({ api }) => api.auth.token.mockResolvedValue({ mfaRequired: true }),
    run: signIn,
  },
  'a challenge without a type': {
    arrange: ({ api }) =>
      api.auth.token.mockResolvedValue({ mfaRequired: true, authVerificationToken: 'vt-1' }),
    run: signIn,
  },
  'a challenge after a challenge': { arrange: challenged(answers.appChallenge()), run: signInWithCode },
  'no personas': {
    arrange: ({ api }) => api.auth.token.mockResolvedValue(tokenPair({ personas: {} })),
    run: signIn,
  },
  'no personas after a code': { arrange: challenged(tokenPair({ personas: {} })), run: signInWithCode },
  'a blocked cookie': { arrange: blockCookies, run: signIn },
  'a blocked cookie after a code': {
    arrange: (deps) => {
      challenged(tokenPair())(deps);
      blockCookies(deps);
    },
    run: signInWithCode,
  },
  'a refused cookie': {
    run: async (drive) => {
      await drive.act(username);
      drive.deps.cookies.switchOff();
      await drive.act(passwordSubmitted('Corr3ct-horse'));
    },
  },
  'cookies off': { arrange: ({ cookies }) => cookies.switchOff(), run: () => Promise.resolve() },
  'no code': { run: byProvider('google', { type: 'oauth/error', error: 'no_code' }) },
  'a refusal by Google': { run: byProvider('google', { type: 'oauth/error', error: 'access_denied' }) },
  'a refusal by Microsoft': { run: byProvider('microsoft', { type: 'oauth/error', error: 'access_denied' }) },
  'Microsoft without its configuration': {
    arrange: ({ api }) => api.auth.methods.mockResolvedValue([methods.basic, { method: 'microsoft' }]),
    run: byProvider('microsoft', {}),
  },
  'a refused proof': {
    at: signedIn,
    arrange: ({ api }) => api.auth.validatePassword.mockRejectedValue(refused()),
    run: enrolPhone,
  },
  'a refused phone': {
    at: signedIn,
    arrange: ({ api }) => api.mfa.addPhone.mockRejectedValue(refused()),
    run: enrolPhone,
  },
  'a proof that was used up': {
    at: signedIn,
    arrange: ({ api }) => {
      api.mfa.addPhone.mockResolvedValue({ lastFourPhone: '0143' });
      api.mfa.validateSetup.mockRejectedValue(refused({ serverCode: 'invalid_verification' }));
    },
    run: async (drive) => {
      await enrolPhone(drive);
      await drive.act(enrolmentCodeSubmitted('123456'));
    },
  },
  'a refused turn-off': {
    at: { path: '/account-settings' },
    arrange: ({ api }) => api.mfa.disable.mockRejectedValue(refused()),
    run: async (drive) => {
      await drive.act(turnOffRequested());
      await drive.confirm();
      await drive.act(identityPasswordSubmitted('Corr3ct-horse'));
    },
  },
};

function open({ at = {}, arrange }: Case, browser: FakeBrowser): FakeDeps {
  const deps = browser.tab(at);
  const { api } = deps;
  api.auth.methods.mockResolvedValue([methods.basic, methods.google, methods.microsoft]);
  api.auth.token.mockResolvedValue(tokenPair({ personas: severalPersonas }));
  api.auth.validatePassword.mockResolvedValue({ authVerificationToken: 'vt-1' });
  api.users.attributes.mockResolvedValue(userAttributes({ isTextActive: true }));
  api.mfa.activePhone.mockResolvedValue({ lastFourPhone: '0143' });
  if (at.path) put(deps, tokenPair({ personas: severalPersonas }));
  arrange?.(deps);
  return deps;
}

describe('a recording replays identically', () => {
  it.each(Object.entries(journeys).filter(([, { isUnreplayable }]) => !isUnreplayable))(
    '%s',
    async (_name, journey) => {
      await expectAgain(journey);
    },
  );

  it.each(Object.entries(errors))('%s', async (_name, error) => {
    await expectAgain({ open: (browser) => open(error, browser), run: error.run });
  });

  it('to every text that a dialog of an error shows', () => {
    const { links, cookies } = testConfig();
    // The laboratory fills each gap of a text with the same name.
    const filled = (text: string): readonly string[] =>
      [links.providerSupport, cookies.domain ?? ''].map((name) =>
        text.replace('support.payments.example', name),
      );
    const texts = Object.keys(scenarios)
      // Recordings of questions, texts of the log or the service, and passkeys cannot be replayed.
      .filter((name) => /^dialogs\/(?!passkey|.*(question|microsoftIncomplete|serverMessage))/.test(name))
      .map((name) => stateOf(name)?.['ui-dialogs'].at(-1)?.message ?? name);
    expect(texts.filter((text) => !filled(text).some((one) => shown.has(one)))).toEqual([]);
  });
});

it('a recording that begins in the middle of a page makes no test', async () => {
  const events = [{ at: 1, action: sessionAbsent() }];
  const text = formatRecording(
    makeRecording(
      { start: () => undefined, events },
      { config: testConfig(), look: 'default', embedding: 'none' },
    ),
  );
  await expect(replayJourney(text)).rejects.toThrow('begins in the middle');
});
