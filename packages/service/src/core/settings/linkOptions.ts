/** Base addresses and lifetimes of links. */
export interface LinkOptions {
  /** Where the application is served (`signOnUrl` of its configuration). Default: the first of `allowedOrigins`. */
  readonly signOnUrl: string;
  /**
   * Base of short links (`{shortLinkUrl}/{id}`), the form in which magic links are mailed. Default:
   * `{signOnUrl}/redirect`.
   */
  readonly shortLinkUrl: string;
  /** Lifetime of a link that resets a password, in seconds. Default 3,600. */
  readonly resetSeconds: number;
  /** Lifetime of an invitation (of a user or an API user), in seconds. Default 604,800 (7 days). */
  readonly invitationSeconds: number;
  /** Lifetime of a magic link into an application, in seconds. Default 3,600. */
  readonly magicLinkSeconds: number;
}

/**
 * Fills in the defaults.
 *
 * @throws Error naming the option that is not a web address.
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

/** Whether it is an http(s) address without query and fragment, so that a path can be appended. */
export function isWebAddress(value: string): boolean {
  const url = URL.parse(value);
  return url !== null && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '';
}

/** The address without trailing slashes, so that a path can be appended. */
function addressFrom(name: string, value = ''): string {
  if (!isWebAddress(value)) {
    throw new Error(`${name} must be an http(s) address such as https://login.example.com.`);
  }
  return new URL(value).href.replace(/\/+$/, '');
}
