import { onePersona, severalPersonas, unsignedJwt } from '../../support/builders';

/** 15 January 2027, the start of the tests' clock. */
export const now = 1_800_000_000_000;

const jwt = (mark: string, claims: object = {}): string =>
  unsignedJwt({
    mark,
    uid: 'u_1',
    username: 'ada@example.com',
    email: 'ada@example.com',
    firstName: 'Ada',
    method: 'basic',
    isMfaSetup: false,
    personas: severalPersonas,
    iat: now / 1000,
    exp: now / 1000 + 86_400,
    ...claims,
  });

/** Every secret of the application, marked so that a leak is found. */
export const secrets = {
  password: 'Marked-passw0rd',
  wrongCode: '402918',
  code: '739105',
  challengeToken: 'marked-challenge-token',
  nextChallengeToken: 'marked-next-challenge-token',
  verificationToken: 'marked-verification-token',
  session: jwt('marked-session'),
  sessionOfProvider: jwt('marked-session-of-provider', { method: 'other' }),
  sessionWithoutPersonas: jwt('marked-session-without-personas', { personas: {} }),
  brokenToken: 'marked-broken-token',
  sessionOfOneApplication: jwt('marked-session-of-one-application', { personas: onePersona }),
  refresh: 'marked-refresh',
  shortSession: jwt('marked-short-session', { exp: now / 1000 + 900 }),
  renewedSession: jwt('marked-renewed-session', { iat: now / 1000 + 450, exp: now / 1000 + 1350 }),
  adoptedSession: jwt('marked-adopted-session', { iat: now / 1000 + 455, exp: now / 1000 + 1355 }),
  renewedRefresh: 'marked-renewed-refresh',
  setUp: jwt('marked-set-up', { isMfaSetup: true }),
  trusted: unsignedJwt({ mark: 'marked-trusted', exp: now / 1000 + 86_400 }),
  key: 'MARKEDKEYMARKED2',
  qrUrl: 'otpauth://totp/Payments:ada%40example.com?secret=MARKEDKEYMARKED2',
  providerCode: 'marked-provider-code',
  verifier: 'marked-verifier',
  unfitPassword: 'marked-unfit-password',
  newPassword: 'Marked-new-passw0rd',
  otherPassword: 'Marked-other-passw0rd',
  recoveryCode: 'MARKED-RECOVERY-CODE',
  passkeyChallenge: 'marked-passkey-challenge',
  passkeyOffer: 'marked-passkey-offer',
  passkeySignature: 'marked-passkey-signature',
  linkId: 'marked-link-id',
  urlCode: 'marked-url-code',
  urlState: 'marked-url-state',
  apiKey: 'marked-api-key',
  apiSecret: 'marked-api-secret',
  linkToken: jwt('marked-link-token'),
  linkRefresh: 'marked-link-refresh',
} as const;
