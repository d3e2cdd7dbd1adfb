/** @jest-environment node */
import { createService } from '../../service';
import { readEnvironment } from '../../service/environment';
import type { ProvidersOptions } from '../../service';

const minimal = { ISSUER: 'https://api.example.com', ALLOWED_ORIGINS: 'https://login.example.com' };
const redirectUri = 'https://login.example.com/oauth-redirect';

describe('the variables of the providers', () => {
  const providersOf = (variables: Record<string, string>) =>
    readEnvironment({ ...minimal, ...variables }).service.providers;

  it('set up nobody when there are none', () => {
    expect(providersOf({})).toBeUndefined();
    expect(providersOf({ GOOGLE_CLIENT_ID: '', PROVIDER_REDIRECT_URI: redirectUri })).toBeUndefined();
  });

  it('set up Google and Microsoft by client id and secret alone', () => {
    expect(
      providersOf({
        GOOGLE_CLIENT_ID: 'g',
        GOOGLE_CLIENT_SECRET: 'gs',
        MICROSOFT_CLIENT_ID: 'm',
        MICROSOFT_CLIENT_SECRET: 'ms',
        PROVIDER_REDIRECT_URI: redirectUri,
      }),
    ).toEqual({
      redirectUri,
      google: { issuer: 'https://accounts.google.com', clientId: 'g', clientSecret: 'gs' },
      microsoft: {
        issuerTemplate: 'https://login.microsoftonline.com/{tenantId}/v2.0',
        clientId: 'm',
        clientSecret: 'ms',
      },
    });
  });

  it('set up one of them, at another address', () => {
    const variables = {
      GOOGLE_CLIENT_ID: 'g',
      GOOGLE_CLIENT_SECRET: 's',
      PROVIDER_REDIRECT_URI: redirectUri,
    };
    const google = { issuer: 'https://id.example.com', clientId: 'g', clientSecret: 's' };
    expect(providersOf({ ...variables, GOOGLE_ISSUER: google.issuer })).toEqual({ redirectUri, google });
  });

  it.each([
    [{ GOOGLE_CLIENT_ID: 'g', PROVIDER_REDIRECT_URI: redirectUri }, 'GOOGLE_CLIENT_SECRET is not set.'],
    [{ MICROSOFT_CLIENT_ID: 'm', PROVIDER_REDIRECT_URI: redirectUri }, 'MICROSOFT_CLIENT_SECRET is not set.'],
    [{ GOOGLE_CLIENT_ID: 'g', GOOGLE_CLIENT_SECRET: 's' }, 'PROVIDER_REDIRECT_URI is not set.'],
  ])('name what is missing from %p', (variables, message) => {
    expect(() => providersOf(variables)).toThrow(message);
  });
});

describe('a service', () => {
  const google = { issuer: 'https://accounts.google.com', clientId: 'g', clientSecret: 's' };
  const microsoft = {
    issuerTemplate: 'https://ms.example.com/{tenantId}/v2.0',
    clientId: 'm',
    clientSecret: 's',
  };

  it.each<[string, ProvidersOptions]>([
    ['providers.redirectUri', { google, redirectUri: '/oauth-redirect' }],
    ['providers.redirectUri', { google, redirectUri: 'http://login.example.com/oauth-redirect' }],
    ['providers.google.issuer', { google: { ...google, issuer: 'http://accounts.google.com' }, redirectUri }],
    ['providers.google.issuer', { google: { ...google, issuer: 'http://localhost.evil.test' }, redirectUri }],
    [
      'providers.microsoft.issuerTemplate',
      { microsoft: { ...microsoft, issuerTemplate: 'https://ms.example.com/common/v2.0' }, redirectUri },
    ],
    [
      'providers.microsoft.issuerTemplate',
      { microsoft: { ...microsoft, issuerTemplate: 'http://{tenantId}.example.com' }, redirectUri },
    ],
  ])('does not start with %s that cannot be right', async (name, providers) => {
    const allowedOrigins = [minimal.ALLOWED_ORIGINS];
    const options = { database: { folder: null }, issuer: minimal.ISSUER, allowedOrigins, providers };
    await expect(createService(options)).rejects.toThrow(name);
  });
});
