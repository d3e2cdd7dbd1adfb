import {
  challengeDropped,
  challengeOpened,
  codeEntryRestarted,
  codeKindSwitched,
  codeRejected,
  codeSubmitted,
  newCodeRequested,
  newCodeSent,
} from '@features/auth/challenge/challenge.slice';
import {
  apiInviteReceived,
  copyEnded,
  linkEntered,
  linkGateShown,
  type CopiedValue,
} from '@features/auth/links/oneTimeLink.slice';
import { oauthReturnEnded } from '@features/auth/provider/oauthReturn.slice';
import {
  providerCodeReceived,
  providerWindowBlocked,
  providerWindowMaybeClosed,
  providerWindowOpened,
} from '@features/auth/provider/providerAttempt.slice';
import {
  loginEntered,
  methodsLoaded,
  passwordSubmitted,
  signInFailed,
  signInStopped,
  usernameSubmitted,
} from '@features/auth/sign-in/signIn.slice';
import { challengeIssued, signInCompleted } from '@features/auth/token-response/tokenResponse';
import {
  identityPasswordSubmitted,
  identityProvidersKnown,
  identityRefused,
  verifyIdentityEntered,
  verifyIdentityLeft,
} from '@features/auth/verify-identity/verification.slice';
import { pageOpened, type Destination } from '@features/session';
import type { UnknownAction } from '@reduxjs/toolkit';
import type { TwoStepMethod } from '@shared/api/decoders';
import type { Provider } from '@shared/ports/ports';
import { wayChosen, wayRequested } from '@shared/slots';
import { paths } from '@vestibule/contract/paths';
import { methods } from './builders';
import type { GivenWords, Variants } from '@shared/scenario';
import { at, signedIn } from './scenario';

/** Addresses come from the redirect allowlist, but the laboratory never navigates to one. */
const application = { kind: 'application', url: 'http://ledger.payments.localhost:4000/' } as Destination;

/** A feature without another way, so that the screens are shown without its part. */
const another = 'account';

const all = [methods.basic, methods.google, methods.microsoft];

const enteringUsername = [loginEntered({ rememberedUsername: '' })];
const loadingMethods = ({ username }: GivenWords): readonly UnknownAction[] => [
  ...enteringUsername,
  usernameSubmitted({ username, rememberMe: true }),
];
const choosing = (words: GivenWords, offered: typeof all = all): readonly UnknownAction[] => [
  ...loadingMethods(words),
  methodsLoaded(offered),
];
const atGoogle = (words: GivenWords): readonly UnknownAction[] => [
  ...choosing(words),
  providerWindowOpened('google'),
];

const challenge = ({ username }: GivenWords, secondStep: TwoStepMethod): readonly UnknownAction[] => [
  challengeIssued({ username, method: 'basic', secondStep, authyId: null, uid: 'u_1' }),
  at(paths.twoAuth()),
];
const enteringCode = (words: GivenWords, secondStep: TwoStepMethod = 'text') => [
  ...challenge(words, secondStep),
  challengeOpened(),
];
const submitted = codeSubmitted({ code: '', trust: false });

const verifying = (
  words: GivenWords,
  by: 'password' | Provider | 'provider',
  path = paths.changeVerify(),
): readonly UnknownAction[] => [
  signedIn(words, by === 'password' ? 'basic' : 'other'),
  at(path),
  verifyIdentityEntered(by),
];
const byProvider = (words: GivenWords, ...providers: readonly Provider[]) => [
  ...verifying(words, 'provider'),
  identityProvidersKnown(providers),
];
const atMicrosoft = (words: GivenWords) => [
  ...byProvider(words, 'microsoft'),
  providerWindowOpened('microsoft'),
];

const apiKeys = [at(paths.secretKey('id')), linkEntered(), apiInviteReceived()];
const copied = (which: CopiedValue['which'], outcome: CopiedValue['outcome']) => [
  ...apiKeys,
  copyEnded({ which, outcome }),
];

/** Scenarios of `/login`, the second step, identity, and links. */
export const authScenarios = {
  'auth.signIn/username': {
    empty: () => enteringUsername,
    remembered: ({ username }) => [loginEntered({ rememberedUsername: username })],
  },
  'auth.signIn/loadingMethods': { slow: loadingMethods },
  'auth.signIn/choosing': {
    'every method': choosing,
    password: (words) => choosing(words, [methods.basic]),
    providers: (words) => choosing(words, [methods.google, methods.microsoft]),
    'password refused': (words) => [...choosing(words), passwordSubmitted(''), signInFailed({ message: '' })],
    'window open': atGoogle,
    'window perhaps closed': (words) => [...atGoogle(words), providerWindowMaybeClosed()],
    'window blocked': (words) => [...atGoogle(words), providerWindowBlocked('google')],
    'window blocked again': (words) => [
      ...atGoogle(words),
      providerWindowBlocked('google'),
      providerWindowOpened('google'),
      providerWindowBlocked('google'),
    ],
  },
  'auth.signIn/submitting': {
    password: (words) => [...choosing(words), passwordSubmitted('')],
    'code of a provider': (words) => [...choosing(words), providerCodeReceived('microsoft')],
    'another way': (words) => [...choosing(words), wayRequested(another)],
  },
  'auth.signIn/checkingWay': { slow: () => [...enteringUsername, wayChosen(another)] },
  'auth.signIn/leaving': { slow: () => [signInCompleted(application)] },
  'auth.signIn/stopped': { 'redirect loop': () => [signInStopped()] },
  'auth.signIn/signedIn': {
    embedded: () => [pageOpened({ embedding: 'trusted' }), signInCompleted({ kind: 'stay' })],
  },

  'auth.challenge/none': { 'without a challenge': () => [at(paths.twoAuth()), challengeDropped()] },
  'auth.challenge/issued': { loading: (words) => challenge(words, 'text') },
  'auth.challenge/entering': {
    'text message': enteringCode,
    'authenticator app': (words) => enteringCode(words, 'app'),
    'code of another kind': (words) => [...enteringCode(words), codeKindSwitched(another)],
    'new code asked': (words) => [...enteringCode(words), newCodeRequested()],
    'new code sent': (words) => [...enteringCode(words), newCodeRequested(), newCodeSent()],
    'after a wrong code': (words) => [
      ...enteringCode(words),
      submitted,
      codeRejected({ keepsCode: false }),
      codeEntryRestarted(),
    ],
  },
  'auth.challenge/checking': { slow: (words) => [...enteringCode(words), submitted] },
  'auth.challenge/otherWay': { slow: (words) => [...enteringCode(words), wayRequested(another)] },
  'auth.challenge/rejected': {
    red: (words) => [...enteringCode(words), submitted, codeRejected({ keepsCode: false })],
  },

  'auth.oauthReturn/passing': { slow: () => [at(paths.oauthRedirect())] },
  'auth.oauthReturn/over': { over: () => [at(paths.oauthRedirect()), oauthReturnEnded()] },

  'auth.verification.screen/closed': {
    loading: (words) => [...verifying(words, 'password'), verifyIdentityLeft()],
  },
  'auth.verification.screen/preparing': {
    slow: (words) => verifying(words, 'microsoft'),
    'provider unknown': (words) => verifying(words, 'provider'),
  },
  'auth.verification.screen/asking': {
    password: (words) => verifying(words, 'password'),
    'password, to turn two-step verification off': (words) =>
      verifying(words, 'password', paths.askPassword('disable')),
    'password refused': (words) => [
      ...verifying(words, 'password'),
      identityPasswordSubmitted(''),
      identityRefused({ message: '' }),
    ],
    provider: (words) => byProvider(words, 'microsoft'),
    'several providers': (words) => byProvider(words, 'google', 'microsoft'),
    'providers not loaded': (words) => [...verifying(words, 'google'), identityRefused({ message: '' })],
    'provider unknown': (words) => [...verifying(words, 'provider'), identityRefused({ message: '' })],
    'window open': atMicrosoft,
    'window perhaps closed': (words) => [...atMicrosoft(words), providerWindowMaybeClosed()],
    'window blocked': (words) => [...byProvider(words, 'microsoft'), providerWindowBlocked('microsoft')],
    'window of several blocked': (words) => [
      ...byProvider(words, 'google', 'microsoft'),
      providerWindowBlocked('google'),
    ],
  },
  'auth.verification.screen/otherWay': {
    slow: (words) => [...verifying(words, 'password'), wayRequested(another)],
  },
  'auth.verification.screen/checking': {
    password: (words) => [...verifying(words, 'password'), identityPasswordSubmitted('')],
    'code of a provider': (words) => [...atMicrosoft(words), providerCodeReceived('microsoft')],
    'code of one of several': (words) => [
      ...byProvider(words, 'google', 'microsoft'),
      providerWindowOpened('google'),
      providerCodeReceived('google'),
    ],
  },

  'auth.oneTimeLink/opening': {
    'magic link': () => [at(paths.magicLink('id')), linkEntered()],
    'API invite': () => [at(paths.secretKey('id')), linkEntered()],
  },
  'auth.oneTimeLink/gate': { 'magic link': () => [at(paths.magicLink('id')), linkGateShown()] },
  'auth.oneTimeLink/shown': {
    'API key': () => apiKeys,
    copied: () => copied('apiKey', 'copied'),
    'copying refused': () => copied('apiSecret', 'refused'),
  },
} as const satisfies Readonly<Record<string, Variants>>;
