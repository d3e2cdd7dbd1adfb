/** Where links lead and how long they live. */
export interface LinkOptions {
  /** Where the application is served (`signOnUrl` of its configuration). Default: the first of `allowedOrigins`. */
  readonly signOnUrl: string;
  /** Base of short links (`{shortLinkUrl}/{id}`), which magic links are mailed as. Default: `{signOnUrl}/redirect`. */
  readonly shortLinkUrl: string;
  /** Life of a link that resets a password, in seconds. Default 3,600. */
  readonly resetSeconds: number;
  /** Life of an invitation, a user's or an API user's, in seconds. Default 604,800 (7 days). */
  readonly invitationSeconds: number;
  /** Life of a magic link into an application, in seconds. Default 3,600. */
  readonly magicLinkSeconds: number;
}

/**
 * Fills in the defaults.
 *
 * @throws Error naming the option that is no web address.
 */
export function linkSettings(
  given: Partial<LinkOptions> | undefined,
  allowedOrigins: readonly string[],
): LinkOptions {
  const signOnUrl = addressFrom('links.signOnUrl', given?.signOnUrl ?? allowedOrigins[0]);
  return {
    resetSeconds: 3600,
    invitationSeconds: 604_800,
    magicLinkSeconds: 3600,
    ...given,
    signOnUrl,
    shortLinkUrl: addressFrom('links.shortLinkUrl', given?.shortLinkUrl ?? `${signOnUrl}/redirect`),
  };
}

/** Whether a path can be appended to it: http(s), without query and fragment. */
export function isWebAddress(value: string): boolean {
  const url = URL.parse(value);
  return url !== null && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '';
}

/** The address without the slash at its end, so that a path can be appended. */
function addressFrom(name: string, value = ''): string {
  if (!isWebAddress(value)) {
    throw new Error(`${name} must be an http(s) address such as https://login.example.com.`);
  }
  return new URL(value).href.replace(/\/+$/, '');
}
