/** @jest-environment node */
import { inEnglish } from '../../../support/openApp';
import { describeTokenError } from '@features/auth/auth.errors';
import { decideTokenResponse, type TokenDecision } from '@features/auth/token-response/tokenResponse';
import type { LoginMethodName, TokenResponse } from '@shared/api/decoders';
import { ApiError } from '@shared/api/apiError';

const text = { secondStep: 'text', authyId: '52', uid: 'u' } as const;
const challenge: TokenResponse = { mfaRequired: true, authVerificationToken: 'vt', ...text };
const tokens = { token: 'jwt', refresh: 'r' } as const;
const setup = { kind: 'setup', mfaToken: 'setup-jwt' } as const;
const byText = { kind: 'challenge', authVerificationToken: 'vt', ...text } as const;
const byApp = { ...byText, secondStep: 'app', authyId: null, uid: null } as const;
const broken = { kind: 'challengeBroken' } as const;

it.each<readonly [string, TokenResponse, TokenDecision]>([
  ['tokens: a session', tokens, { kind: 'session', tokens }],
  ['mfaJWT: set-up first', { mfaJWT: 'setup-jwt' }, setup],
  ['mfaJWT takes precedence over a challenge', { ...challenge, mfaJWT: 'setup-jwt' }, setup],
  ['mfaJWT takes precedence over tokens', { ...tokens, mfaJWT: 'setup-jwt' }, setup],
  ['mfaRequired: the challenge by text message', challenge, byText],
  [
    'mfaRequired: the challenge by authenticator app, without authyId',
    { mfaRequired: true, secondStep: 'app', authVerificationToken: 'vt' },
    byApp,
  ],
  ['a challenge takes precedence over tokens', { ...challenge, ...tokens }, byText],
  ['a challenge without its token is invalid', { mfaRequired: true, secondStep: 'text' }, broken],
  ['a challenge with an empty token is invalid', { ...challenge, authVerificationToken: '' }, broken],
  ['a challenge without token and type is invalid', { mfaRequired: true }, broken],
  [
    'a challenge without a type is none',
    { mfaRequired: true, authVerificationToken: 'vt' },
    { kind: 'challengeUntyped' },
  ],
  ['mfaRequired false is not a challenge', { ...tokens, mfaRequired: false }, { kind: 'session', tokens }],
  ['an empty mfaJWT is ignored', { ...tokens, mfaJWT: '' }, { kind: 'session', tokens }],
  ['an empty answer counts as a failed call', {}, { kind: 'empty' }],
  ['a token without its refresh counts as a failed call', { token: 'jwt' }, { kind: 'empty' }],
  ['a refresh without its token counts as a failed call', { refresh: 'r' }, { kind: 'empty' }],
  ['other fields are not put into the cookie', { ...tokens, uid: 'u' }, { kind: 'session', tokens }],
])('what a token response requires next %s', (_name, answer, decision) => {
  expect(decideTokenResponse(answer)).toEqual(decision);
});

const basicDefault =
  'We were unable to match the User ID and password you entered. Please check your entries and try again.';
const providerDefault = 'Your account has no access';

it.each<readonly [LoginMethodName, string]>([
  ['basic', basicDefault],
  ['google', providerDefault],
  ['microsoft', providerDefault],
])('the text for a failed sign-in of %s is the server’s message, or else the method’s', (method, words) => {
  const said = new ApiError('server', { status: 401, serverMessage: 'Account locked until noon' });
  expect(describeTokenError(said, method)).toEqual({ message: 'Account locked until noon' });
  for (const error of [
    new ApiError('server', { status: 500 }),
    new ApiError('unexpected', { status: 200 }),
    new ApiError('network'),
    new ApiError('timeout'),
    null,
  ])
    expect(inEnglish(describeTokenError(error, method).message)).toBe(words);
});
