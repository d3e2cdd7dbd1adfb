import { createChunk, partOf } from '@shared/chunk';
import type { Feature } from '@shared/deps';
import { returnPoint } from '@vestibule/contract/returnPoint';
import { authReducer } from './auth.reducer';
import { challengeScreen } from './challenge/challenge.saga';
import { oauthReturnScreen } from './provider/oauthReturn.saga';
import { loginScreen } from './sign-in/signIn.saga';

const links = () => import('./links');

/** Sign-in, second step, proof of identity, and links that open something. */
export const auth = {
  name: 'auth',
  reducer: authReducer,
  late: createChunk(() => import(/* webpackChunkName: "screens" */ './late')),
  routes: {
    login: { pattern: '/login', access: 'public', screen: loginScreen },
    twoAuth: { pattern: '/two-auth', access: 'public', screen: challengeScreen },
    oauthRedirect: { pattern: returnPoint, exact: true, access: 'public', screen: oauthReturnScreen },
    magicLink: {
      pattern: '/redirect/:magiclinkId',
      isLink: true,
      access: 'public',
      chunk: partOf(links, 'magicLinkScreen'),
    },
    secretKey: {
      pattern: '/secret-key/:hash',
      isLink: true,
      access: 'public',
      chunk: partOf(links, 'apiInviteScreen'),
    },
    unauthorized: { pattern: '/unauthorized', access: 'public', chunk: partOf(links, 'unauthorizedScreen') },
    changeVerify: {
      pattern: '/reset-password-verify',
      access: 'session',
      chunk: partOf(() => import('./verify-identity'), 'verifyForPasswordScreen'),
    },
  },
} as const satisfies Feature;
