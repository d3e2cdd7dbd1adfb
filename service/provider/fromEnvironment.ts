import type { ProvidersOptions } from './providersOptions';

/** Reads one variable; `undefined` where it is not set or empty. */
type Read = (name: string) => string | undefined;

/**
 * Providers from the variables that `README.md` lists.
 *
 * @param required reads a variable that must be set now, or throws naming it.
 * @returns `undefined` when no client id is set.
 */
export function providersFrom(read: Read, required: (name: string) => string): ProvidersOptions | undefined {
  const client = (
    prefix: string,
  ): { readonly clientId: string; readonly clientSecret: string } | undefined => {
    const clientId = read(`${prefix}_CLIENT_ID`);
    return clientId === undefined
      ? undefined
      : { clientId, clientSecret: required(`${prefix}_CLIENT_SECRET`) };
  };
  const google = client('GOOGLE');
  const microsoft = client('MICROSOFT');
  if (google === undefined && microsoft === undefined) return undefined;
  return {
    redirectUri: required('PROVIDER_REDIRECT_URI'),
    ...(google === undefined
      ? {}
      : { google: { ...google, issuer: read('GOOGLE_ISSUER') ?? 'https://accounts.google.com' } }),
    ...(microsoft === undefined
      ? {}
      : {
          microsoft: {
            ...microsoft,
            issuerTemplate:
              read('MICROSOFT_ISSUER_TEMPLATE') ?? 'https://login.microsoftonline.com/{tenantId}/v2.0',
          },
        }),
  };
}
