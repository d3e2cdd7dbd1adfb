import * as v from 'valibot';
import { decodeClaims } from '../claims';
import { namesOf, parseJson, type CookieDeps } from '../sessionCookies';

/** What names a magic link's cookie after the prefix: no suffix of the family's other cookies looks like it. */
const sha256 = /^[0-9a-f]{64}$/;

const tokensSchema = v.object({ token: v.string(), refreshToken: v.string() });

/**
 * Removes the cookies of magic links: all of them when the person signs out, those of others when somebody signs in. Each
 * lives apart from the session of the sign-on, so one that merely runs out takes none along: an application may be at work
 * with it, or about to read it.
 *
 * @param exceptOf - uid of the person whose own stay
 * @returns the tokens that were in them
 */
export function takeMagicLinks(deps: CookieDeps, exceptOf?: string): readonly { readonly refresh: string }[] {
  const { cookies } = deps;
  const prefix = namesOf(deps).magicLink('');
  return cookies.names().flatMap((name) => {
    if (!name.startsWith(prefix) || !sha256.test(name.slice(prefix.length))) return [];
    const tokens = parseJson(tokensSchema, cookies.readAll(name)[0] ?? '');
    if (exceptOf !== undefined && tokens && decodeClaims(tokens.token)?.uid === exceptOf) return [];
    cookies.remove(name);
    return tokens ? [{ refresh: tokens.refreshToken }] : [];
  });
}
