/** A contract with whoever serves the page (README, 'Configuration'). */
const path = '/expire-session-cookies';
/** A host that does not answer keeps nobody waiting longer, ms. */
const timeoutMs = 10_000;

/** Asks the host that serves the page. Never rejects; whether it helped is seen by writing again. */
export async function expireSessionCookies(
  browser: Pick<Window & typeof globalThis, 'fetch' | 'AbortSignal'>,
): Promise<void> {
  const signal = browser.AbortSignal.timeout(timeoutMs);
  await browser.fetch(path, { method: 'POST', signal }).then(ignore, ignore);
}

function ignore(): void {
  // A host without this path, or one that cannot be reached, leaves the cookies as they are.
}
