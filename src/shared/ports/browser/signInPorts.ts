/** The ports that only a sign-in uses. They are in the chunk that the first key loads. */
export { makeOauthSecrets } from './oauthSecrets';
export { expireSessionCookies } from './expireSessionCookies';
export { fillTextedCode } from './textedCode';
