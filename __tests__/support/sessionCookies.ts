import type { TokenPair } from '@shared/api/decoders';
import { accessToken } from './builders';
import type { FakeDeps } from './fakeDeps';

type Tab = Pick<FakeDeps, 'cookies'>;

/** Name of the session cookie. */
export const session = 'payments-test-session';
/** Name of the cookie of setup mode. */
export const setupCookie = `${session}-setup`;

/** The value of the session cookie. */
export const sessionCookie = ({ token, refresh }: TokenPair): string =>
  JSON.stringify({ authenticated: { token, refresh } });

/** Sets both session cookies, as a sign-in, another tab or a sibling application does. */
export const put = ({ cookies }: Tab, tokens: TokenPair): void => {
  cookies.write(session, sessionCookie(tokens));
  cookies.write(`${session}-refresh`, tokens.refresh);
};

/** Sets the cookie of setup mode; returns its token. */
export const putSetup = ({ cookies }: Tab, mfaToken = accessToken({ isMfaSetup: true })): string => {
  cookies.write(setupCookie, JSON.stringify({ mfaToken }));
  return mfaToken;
};
