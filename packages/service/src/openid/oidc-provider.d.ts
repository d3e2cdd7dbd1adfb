/** The library brings no types; `library.ts` states those of what is used. */
declare module 'oidc-provider';
