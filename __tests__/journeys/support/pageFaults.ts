import type { BrowserContext } from '@playwright/test';

/** Errors in the pages of one test that must not occur. */
export interface PageFaults {
  /** This test provokes console errors that match. Any other error fails it. */
  readonly allow: (...patterns: readonly RegExp[]) => void;
  /** Errors on any console, violations of the content-security policy, uncaught errors and rejections. */
  readonly found: () => readonly string[];
}

/** Chromium's own line for an error status, or for no response. */
export const failedRequest = (why: number | string): RegExp =>
  new RegExp(`^Failed to load resource: .*${String(why)}`);

/** Watches every page of a context from its first moment on. */
export async function watchPages(context: BrowserContext): Promise<PageFaults> {
  const allowed: RegExp[] = [];
  const found: string[] = [];
  context.on('console', (message) => {
    if (message.type() === 'error') found.push(`${message.text()} (${message.location().url})`);
  });
  // Unhandled rejections arrive here too.
  context.on('weberror', (webError) => {
    const error = webError.error();
    found.push(`uncaught: ${error.stack ?? error.message}`);
  });
  // Most violations are on the console already; those of trusted types in report-only or in frames are not always.
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      console.error(`content-security-policy: ${violatedDirective} blocked ${blockedURI}`);
    });
  });
  await context.addInitScript(watchFocus);
  return {
    allow: (...patterns) => void allowed.push(...patterns),
    found: () => found.filter((text) => !allowed.some((pattern) => pattern.test(text))),
  };
}

/**
 * A screen reader says what gets the focus of a removed element only where that is outside the group that it was removed from
 * (docs/behaviour.md#focus).
 */
function watchFocus(): void {
  const groups = '[role], body, header, main, footer, section[aria-labelledby], form, ul, ol, li, p, dialog';
  let focused: Node | null = null;
  addEventListener('focusin', ({ target }) => (focused = target as Node), true);
  new MutationObserver((records) => {
    const { activeElement, body } = document;
    for (const { target, removedNodes } of records) {
      const isGone = Array.from(removedNodes).some((node) => node.contains(focused));
      if (!isGone || !target.isConnected || activeElement === body) continue;
      if ((target as Element).closest(groups)?.contains(activeElement))
        console.error(`A screen reader does not say ${activeElement?.outerHTML ?? ''}`);
    }
  }).observe(document, { childList: true, subtree: true });
}

/** For a browser whose driver does not report them. */
export const noPageFaults: PageFaults = { allow: () => undefined, found: () => [] };
