import { bearer, get, post, type Row } from '../../support/callRow';

const application = { name: 'Reports', url: 'https://reports.example.com', logo: null };

const connected = { id: 'reports', connectedAt: '2026-11-02T09:30:00Z' };

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
  'connected applications': [
    ({ openid }) => openid.applications('b'),
    {
      applications: [
        { ...connected, ...application, scopes: ['offline_access', 'profile', 'phone'] },
        { ...connected, name: 'Portal', url: null, logo: null, scopes: [] },
        { ...connected, name: 'Script', url: 'javascript:alert(1)', logo: null, scopes: [] },
      ],
    },
    get('/auth/v1/openid/applications', bearer),
    [
      { ...connected, name: 'Reports', url: application.url, what: ['name', 'offline'] },
      { ...connected, name: 'Portal', url: null, what: [] },
      { ...connected, name: 'Script', url: null, what: [] },
    ],
  ],
  'disconnecting an application': [
    ({ openid }) => openid.disconnect('b', 'partner/1'),
    {},
    post('/auth/v1/openid/applications/partner%2F1/disconnect', {}, bearer),
    undefined,
  ],
};
