import { passkeys } from '../../support/builders';
import { bearer, get, post, type Row } from '../../support/callRow';

const assertion = { challengeToken: 'c', credential: passkeys.assertion };
const newPasskey = { challengeToken: 'c', credential: passkeys.made };

/** The calls of passkeys. */
export const rows: Readonly<Record<string, Row>> = {
  'passkey sign-in options': [
    (api) => api.passkeys.signInOptions({ username: 'a' }),
    passkeys.options,
    post('/auth/v1/passkeys/sign-in/options', { username: 'a' }),
  ],
  'passkey sign-in': [
    (api) => api.passkeys.signIn(assertion),
    { token: 't', refresh: 'r' },
    post('/auth/v1/passkeys/sign-in', assertion),
  ],
  'passkey verification options': [
    (api) => api.passkeys.verifyOptions('b'),
    passkeys.options,
    post('/auth/v1/passkeys/verify/options', {}, bearer),
  ],
  'passkey verification': [
    (api) => api.passkeys.verify('b', assertion),
    { authVerificationToken: 'v' },
    post('/auth/v1/passkeys/verify', assertion, bearer),
  ],
  passkeys: [
    (api) => api.passkeys.list('b'),
    { userId: 'u', passkeys: [passkeys.entry] },
    get('/auth/v1/passkeys', bearer),
  ],
  'passkey addition options': [
    (api) => api.passkeys.addOptions('b', { passkeyOffer: 'o' }),
    passkeys.creationOptions,
    post('/auth/v1/passkeys/add/options', { passkeyOffer: 'o' }, bearer),
  ],
  'passkey addition': [
    (api) => api.passkeys.add('b', newPasskey),
    passkeys.entry,
    post('/auth/v1/passkeys/add', newPasskey, bearer),
  ],
  'passkey name': [
    (api) => api.passkeys.rename('b', { id: 'k', name: 'n' }),
    {},
    post('/auth/v1/passkeys/rename', { id: 'k', name: 'n' }, bearer),
    undefined,
  ],
  'passkey removal': [
    (api) => api.passkeys.remove('b', { id: 'k', authVerificationToken: 'v' }),
    {},
    post('/auth/v1/passkeys/remove', { id: 'k', authVerificationToken: 'v' }, bearer),
    undefined,
  ],
};
