import { present } from '../present';
import type { LinkOptions } from './linkOptions';

/**
 * Link options from the variables that `README.md` lists.
 *
 * @param address reads a variable that holds a web address; `undefined` where it is not set or empty.
 * @param seconds reads a variable that holds a number of seconds, likewise.
 */
export function linksFrom(
  address: (name: string) => string | undefined,
  seconds: (name: string) => number | undefined,
): Partial<LinkOptions> {
  return {
    ...present('signOnUrl', address('SIGN_ON_URL')),
    ...present('shortLinkUrl', address('SHORT_LINK_URL')),
    ...present('resetSeconds', seconds('RESET_LINK_SECONDS')),
    ...present('invitationSeconds', seconds('INVITATION_SECONDS')),
    ...present('magicLinkSeconds', seconds('MAGIC_LINK_SECONDS')),
  };
}
