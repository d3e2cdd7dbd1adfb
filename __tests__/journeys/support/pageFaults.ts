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
  return {
    allow: (...patterns) => void allowed.push(...patterns),
    found: () => found.filter((text) => !allowed.some((pattern) => pattern.test(text))),
  };
}

/** For a browser whose driver does not report them. */
export const noPageFaults: PageFaults = { allow: () => undefined, found: () => [] };
