import type { ParentFrame, ParentMessage } from '../platform';

/**
 * The embedding page (docs/behaviour.md#embedding). `trusted` checks every ancestor, as `frame-ancestors` does: an unknown
 * page that embeds a listed parent could cover this one as well.
 */
export function createParentFrame(browser: Window, parentOrigins: readonly string[]): ParentFrame {
  const { parent } = browser;
  const embedded = parent !== browser;
  const ancestors = embedded ? ancestorsOf(browser) : [];
  const [embedder] = ancestors;
  const trusted = embedder !== undefined && ancestors.every((origin) => parentOrigins.includes(origin));
  let lastTold: ParentMessage | undefined;
  return {
    embedded,
    trusted,
    isStoragePartitioned: async () => embedded && !(await hasStorageAccess(browser.document)),
    tell: (message) => {
      if (!trusted || (message === 'removed_tokens' && message === lastTold)) return;
      lastTold = message;
      parent.postMessage(message, embedder);
    },
  };
}

/** Browsers without the question, and pages that may not ask it (no secure context), are taken at their cookies' word. */
async function hasStorageAccess(document: Document): Promise<boolean> {
  if (!('hasStorageAccess' in document) || document.defaultView?.isSecureContext !== true) return true;
  try {
    return await document.hasStorageAccess();
  } catch {
    return true;
  }
}

/** Origins from the parent outwards. Without `ancestorOrigins` (older Firefox) only the parent's, from the referrer. */
function ancestorsOf({ location, document }: Window): readonly string[] {
  const known = 'ancestorOrigins' in location ? Array.from(location.ancestorOrigins) : [];
  if (known.length > 0) return known;
  return URL.canParse(document.referrer) ? [new URL(document.referrer).origin] : [];
}
