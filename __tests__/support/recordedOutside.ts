import { matchRoute } from '@app/routes';
import { authMessages } from '@features/auth';
import type { Passkey } from '@features/auth/passkeys/passkeys.slice';
import { refusalMessages } from '@features/auth/refusals.messages';
import type { listLoaded } from '@features/activity/activity.slice';
import type { Claims } from '@features/session';
import { ApiError } from '@shared/api/apiError';
import type { LiveApi } from '@shared/api/liveApi';
import type { LoginMethod, TokenResponse, TokenPair } from '@shared/api/decoders';
import { accessToken, answers, hosts, methods, onePersona, severalPersonas, tokenPair } from './builders';

/** What a recording does not hold, because it was removed; a test made from one says it. */
export interface Given {
  readonly username: string;
  readonly password: string;
  readonly newPassword: string;
  readonly code: string;
  readonly firstName: string;
  readonly lastName: string;
  /** As typed, and as sent. */
  readonly phone: { readonly text: string; readonly number: string };
  /** Of the link that the page was opened by. */
  readonly linkId: string;
}

export const ada: Given = {
  username: 'ada@example.com',
  password: 'Corr3ct-horse',
  newPassword: 'N3w-correct-horse',
  code: '123456',
  firstName: 'Ada',
  lastName: 'Lovelace',
  phone: { text: '(202) 555-0143', number: '+12025550143' },
  linkId: 'link-1',
};

/** An event of a recording whose gaps are filled. */
export interface RecordedEvent {
  readonly type: string;
  /** Ms since the epoch. */
  readonly at: number;
  readonly payload?: unknown;
  readonly meta?: { readonly cause?: string };
  /** Text of the first dialog after it; empty: there is none. */
  readonly message: string;
}

const removed = '[redacted]';

/** The text that was removed under a name, or as the whole payload of an event. */
const fillings = (given: Given): Readonly<Record<string, string>> => ({
  ...{ username: given.username, email: given.username, rememberedUsername: given.username },
  ...{ firstName: given.firstName, lastName: given.lastName, uid: 'u_1', authyId: '52001' },
  ...{ text: given.phone.text, phone: given.phone.number, lastFourPhone: '0143', url: hosts.ledger },
  ...methods.microsoft.configuration,
  ...{ 'activePhone/activePhoneLoaded': '0143', 'forgot/forgotSubmitted': given.username },
});

/** Of the ids in addresses, the user's is shown; those of links are masked in the store as well. */
const withUser = (address: string): string =>
  'uid' in (matchRoute(address.split('?', 1)[0] ?? '')?.params ?? {})
    ? address.replace('***', 'u_1')
    : address;

/** The same action, with a text for each that was removed. */
export function fill<T>(action: T & { readonly type: string }, given: Given, message: string): T {
  const known = fillings(given);
  const filled = (value: unknown, name: string): unknown => {
    if (value === removed) return known[name === 'payload' ? action.type : name] ?? message;
    if (name === 'to' || name === 'pathname') return withUser(String(value));
    if (name === 'personas')
      return (value as unknown[]).map((_group, at) => [at === 0 ? hosts.ledger : hosts.hub]);
    if (Array.isArray(value)) return value.map((one) => filled(one, name));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, filled(one, key)]));
  };
  return filled(action, '') as T;
}

/** A token with these claims. */
export const tokenOf = ({
  personas,
  iat,
  exp,
  uid,
  username,
  email,
  firstName,
  method,
  isMfaSetup,
}: Claims): string =>
  accessToken({
    ...{ uid, username, email, firstName, method, isMfaSetup, iat, lifeSeconds: exp - iat },
    personas: personas.length > 1 ? severalPersonas : onePersona,
  });

const tokensOf = (event: RecordedEvent): TokenPair => ({
  ...tokenPair(),
  token: tokenOf(event.payload as Claims),
});

/** The service refused, with the words that the dialog showed. */
const refusal =
  (status: number, serverCode?: string) =>
  ({ message: serverMessage }: RecordedEvent) =>
    new ApiError('server', {
      status,
      ...(serverMessage && { serverMessage }),
      ...(serverCode && { serverCode }),
    });
const refused = refusal(400);
const lockout = { 'session/lockedOut': refusal(429) };
const done = () => undefined;

/** What a call answered, by the first event that tells it. An `ApiError`: it failed. */
type Outcomes = Readonly<Record<string, (event: RecordedEvent) => unknown>>;

const saved: Outcomes = {
  'newPassword/newPasswordSaved': done,
  'newPassword/newPasswordRefused': ({ payload }) =>
    new ApiError('server', { status: 400, serverMessage: (payload as { readonly message: string }).message }),
};
const { noMethods, noPersonas } = authMessages.errors;
const { challengeBroken } = refusalMessages;

/** A right code that did not sign in. Where the browser took no cookie, nothing is wrong with the answer. */
const brokenSession = ({ message }: RecordedEvent): TokenResponse => {
  if (message === challengeBroken) return answers.textChallenge();
  return tokenPair(message === noPersonas ? { personas: {} } : {});
};

/** The event has the type of an outcome, and belongs to another call. */
export const ofAnotherCall = Symbol('of another call');

type ListEvent = ReturnType<typeof listLoaded>['payload'];

/** One list of `/account-activity`: the same events report all three. */
const list = (name: ListEvent['list'], answer: (loaded: ListEvent) => unknown): Outcomes => {
  const ofThis = (read: (loaded: ListEvent) => unknown) => (event: RecordedEvent) => {
    const loaded = event.payload as ListEvent;
    return loaded.list === name ? read(loaded) : ofAnotherCall;
  };
  return {
    'activity/listLoaded': ofThis(answer),
    'activity/listFailed': ofThis(() => new ApiError('server', { status: 500 })),
  };
};

/** A recording has no challenge, so the browser of the test gets none. */
const passkeyOptions: Outcomes = { 'passkeys/passkeyAttemptEnded': refused };

/** What each call of the recorded flows answered. A call of which the recording tells nothing is never answered. */
export const outcomes = {
  auth: {
    methods: {
      'signIn/methodsLoaded': ({ payload }) => payload,
      'signIn/methodsUnavailable': (event) => (event.message === noMethods ? [] : refused(event)),
      'verification/identityProvidersKnown': ({ payload }) =>
        (payload as readonly LoginMethod['method'][]).map((method) => methods[method]),
      'verification/identityRefused': refused,
    },
    token: {
      'session/sessionStarted': tokensOf,
      'session/setupStarted': ({ payload }) => ({ mfaJWT: tokenOf(payload as Claims), uid: 'u_1' }),
      'challenge/challengeIssued': ({ payload }) => answers.textChallenge(payload as Partial<TokenResponse>),
      'signIn/signInFailed': (event) =>
        event.message === noPersonas ? tokenPair({ personas: {} }) : refusal(401)(event),
      'challenge/codeRejected': ({ payload }) =>
        new ApiError('server', {
          status: (payload as { readonly keepsCode: boolean }).keepsCode ? 500 : 401,
        }),
      'challenge/codeEntryRestarted': brokenSession,
      'challenge/newCodeSent': () => answers.textChallenge(),
      'challenge/newCodeRefused': refused,
      // To `/two-auth` and back without another event.
      'location/locationChanged': () => ({ mfaRequired: true, authVerificationToken: 'vt-1' }),
      ...lockout,
    },
    validatePassword: {
      ...lockout,
      'verification/verificationStarted': () => ({ authVerificationToken: 'vt-1' }),
      'verification/identityRefused': refusal(401),
    },
    exchangeMagicLink: { 'location/locationChanged': refused },
    refresh: { 'session/sessionRefreshed': tokensOf, 'session/sessionEnded': refusal(401) },
    revoke: {},
  },
  devices: {
    sessions: list('sessions', ({ entries }) => entries),
    endSessions: {},
    trustedDevices: list('devices', ({ entries }) => entries),
    forgetDevices: {},
    activity: list('events', ({ entries, next }) => ({ entries, next })),
    know: {},
    notice: {
      'securityNotice/noticeLoaded': ({ payload }) => ({ ...(payload as object), state: 'open' }),
      'securityNotice/noticeUnreached': refusal(500),
      'location/locationChanged': refused,
    },
    answerNotice: {
      'securityNotice/noticeClosed': () => ({}),
      'securityNotice/noticeUnreached': refusal(500),
      'location/locationChanged': () => ({ resetHash: 'reset-1' }),
    },
  },
  recovery: {
    count: {
      'recoveryCodes/recoveryCodesCounted': ({ payload }) => payload,
      'recoveryCodes/recoveryCountFailed': refusal(500),
    },
    make: {
      ...lockout,
      'recoveryCodes/recoveryCodesMade': () => ['7F3K-9QXA-2MVD-H4TE', '0YJ8-RB5N-WC1G-6ZPS'],
      'verification/identityRefused': refused,
      'ui-dialogs/dialogOpened': refused,
    },
    use: {
      'session/sessionStarted': tokensOf,
      'challenge/codeRejected': ({ payload }) =>
        new ApiError('server', {
          status: (payload as { readonly keepsCode: boolean }).keepsCode ? 500 : 401,
        }),
      'challenge/codeEntryRestarted': brokenSession,
      ...lockout,
    },
  },
  passkeys: {
    signInOptions: passkeyOptions,
    signIn: {
      'session/sessionStarted': tokensOf,
      'session/setupStarted': ({ payload }) => ({ mfaJWT: tokenOf(payload as Claims), uid: 'u_1' }),
      'passkeys/passkeyAttemptEnded': refused,
    },
    verifyOptions: passkeyOptions,
    verify: {
      ...lockout,
      'verification/verificationStarted': () => ({ authVerificationToken: 'vt-1' }),
      'passkeys/passkeyAttemptEnded': refused,
    },
    list: {
      'passkeys/passkeysLoaded': ({ payload }) => ({
        userId: 'user',
        passkeys: (payload as readonly Passkey[]).map(({ credentialId: id, ...rest }) => ({ id, ...rest })),
      }),
      'passkeys/passkeysFailed': refusal(500),
    },
    addOptions: { 'passkeys/taskEnded': refused },
    add: { 'passkeys/taskEnded': done },
    rename: { 'passkeys/taskEnded': done },
    remove: { 'passkeys/taskEnded': done },
  },
  users: {
    attributes: { 'profile/profileLoaded': ({ payload }) => payload, 'profile/profileFailed': refusal(500) },
    apiInvite: {
      'oneTimeLink/apiInviteReceived': () => ({ apiKey: 'key-1', apiSecret: 'secret-1' }),
      'location/locationChanged': refused,
    },
  },
  mfa: {
    addPhone: { 'enrolment/codeSent': ({ payload }) => payload, 'enrolment/phoneFailed': refused },
    addAuthenticator: {
      'enrolment/keyReceived': () => ({ code: 'JBSWY3DPEHPK3PXP', url: 'otpauth://totp/x?secret=J' }),
      'enrolment/keyFailed': refused,
    },
    validateSetup: {
      ...lockout,
      'enrolment/factorActivated': done,
      'enrolment/enrolmentCodeRejected': refused,
      'enrolment/enrolmentCodeFailed': refusal(500),
      'ui-dialogs/dialogOpened': refusal(400, 'invalid_verification'),
    },
    disable: {
      ...lockout,
      'verification/identityRefused': refused,
      'ui-dialogs/dialogOpened': refused,
      'location/locationChanged': done,
      'profile/profileRequested': done,
    },
    activePhone: {
      'activePhone/activePhoneLoaded': ({ payload }) => ({ lastFourPhone: String(payload) }),
    },
  },
  password: {
    forgot: { 'forgot/resetLinkSent': done },
    reset: saved,
    change: { ...saved, ...lockout },
    activate: saved,
  },
} as const satisfies {
  readonly [Group in keyof LiveApi]: { readonly [Call in keyof LiveApi[Group]]: Outcomes };
};
