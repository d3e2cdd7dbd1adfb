/** The folder of the service's OpenID provider. */
export const provider = '/oidc/';
