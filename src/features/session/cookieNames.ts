/** Names of the family's cookies (decisions §3): a contract with the sibling applications. */
export interface CookieNames {
  readonly session: string;
  readonly refresh: string;
  readonly username: string;
  readonly setup: string;
  readonly trust: (username: string) => string;
  readonly trustPrefix: string;
  /** Under the hashed id of the link. */
  readonly magicLink: (hash: string) => string;
}

/** Builds every cookie name from the environment's prefix. */
export function cookieNames(prefix: string): CookieNames {
  const trustPrefix = `${prefix}-session-trust-`;
  return {
    session: `${prefix}-session`,
    refresh: `${prefix}-session-refresh`,
    username: `${prefix}-username`,
    setup: `${prefix}-session-setup`,
    trust: (username) => trustPrefix + username,
    trustPrefix,
    magicLink: (hash) => `${prefix}-session-${hash}`,
  };
}
