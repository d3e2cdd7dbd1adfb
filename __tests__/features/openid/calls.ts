import { bearer, get, post, type Row } from '../../support/callRow';

const application = { name: 'Reports', url: 'https://reports.example.com', logo: null };

const request = {
  ...{ name: 'Reports', needsIdentity: false, needsConsent: false, needsCode: false, asksWho: false },
  what: [],
};

const connected = { id: 'reports', connectedAt: '2026-11-02T09:30:00Z' };

/** The calls of `openid`. */
export const rows: Readonly<Record<string, Row>> = {
  'OpenID request': [
    ({ openid }) => openid.request('b', 'q/1'),
    { application, needs: ['identity'], secondStep: 'app', scopes: ['offline_access', 'profile'] },
    get('/auth/v1/openid/requests/q%2F1', bearer),
    { ...request, needsIdentity: true, needsCode: true, what: ['name', 'offline'] },
  ],
  'OpenID request with values of a later version': [
    ({ openid }) => openid.request('b', 'q'),
    {
      application,
      needs: ['consent', 'age'],
      secondStep: 'letter',
      scopes: ['phone', 'applications', 'email'],
    },
    get('/auth/v1/openid/requests/q', bearer),
    { ...request, needsConsent: true, needsCode: true, what: ['email', 'applications'] },
  ],
  'OpenID request that asks for the account': [
    ({ openid }) => openid.request('b', 'q'),
    { application, needs: [], secondStep: null, scopes: [] },
    get('/auth/v1/openid/requests/q', bearer),
    { ...request, asksWho: true },
  ],
  'code for an OpenID request': [
    ({ openid }) => openid.sendCode('b', 'q/1', { authVerificationToken: 'v' }),
    { type: 'sms', lastFourPhone: '0143' },
    post('/auth/v1/openid/requests/q%2F1/code', { authVerificationToken: 'v' }, bearer),
    { lastFourPhone: '0143' },
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
