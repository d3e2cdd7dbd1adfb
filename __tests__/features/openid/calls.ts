import { bearer, get, post, type Row } from '../../support/callRow';

const application = { name: 'Reports', url: 'https://reports.example.com', logo: null };

/** The calls of `openid`. */
export const rows: Readonly<Record<string, Row>> = {
  'OpenID request': [
    ({ openid }) => openid.request('b', 'q/1'),
    { application, needs: ['identity'], scopes: ['offline_access', 'profile'] },
    get('/auth/v1/openid/requests/q%2F1', bearer),
    { name: 'Reports', needsIdentity: true, needsConsent: false, what: ['name', 'offline'] },
  ],
  'OpenID request with values of a later version': [
    ({ openid }) => openid.request('b', 'q'),
    { application, needs: ['consent', 'age'], scopes: ['phone', 'applications', 'email'] },
    get('/auth/v1/openid/requests/q', bearer),
    { name: 'Reports', needsIdentity: false, needsConsent: true, what: ['email', 'applications'] },
  ],
  'answer to an OpenID request': [
    ({ openid }) => openid.answer('b', 'q/1', { allow: true, authVerificationToken: 'v' }),
    { redirectUrl: 'https://api.example.com/oidc/auth/q' },
    post('/auth/v1/openid/requests/q%2F1', { allow: true, authVerificationToken: 'v' }, bearer),
    'https://api.example.com/oidc/auth/q',
  ],
};
