/** A contract with the host that serves the page (docs/behaviour.md#blocked-cookies). */
const expiryPath = '/expire-session-cookies';
/** The longest wait for a host that does not respond, ms. */
const expiryTimeoutMs = 5_000;

/**
 * Asks the host that serves the page to expire the session cookies. Never rejects. Write the cookies again to see whether it
 * helped.
 */
export async function expireSessionCookies(
  browser: Pick<Window & typeof globalThis, 'fetch' | 'AbortSignal'>,
): Promise<void> {
  const signal = browser.AbortSignal.timeout(expiryTimeoutMs);
  await browser.fetch(expiryPath, { method: 'POST', signal }).then(ignore, ignore);
}

function ignore(): void {
  // A host without this path, or one that cannot be reached, leaves the cookies as they are.
}
