import type { ParentFrame } from '../platform';

/**
 * The embedding page (decisions §6). `trusted` asks for every ancestor, as `frame-ancestors` does: a stranger who
 * embeds a listed parent can lay its own picture over the page just as well.
 */
export function createParentFrame(browser: Window, parentOrigins: readonly string[]): ParentFrame {
  const { parent } = browser;
  const embedded = parent !== browser;
  const ancestors = embedded ? ancestorsOf(browser) : [];
  const [embedder] = ancestors;
  const trusted = embedder !== undefined && ancestors.every((origin) => parentOrigins.includes(origin));
  return {
    embedded,
    trusted,
    tell: (message) => {
      if (trusted) parent.postMessage(message, embedder);
    },
  };
}

/** Origins from the parent outwards. Without `ancestorOrigins` (older Firefox) only the parent's, from the referrer. */
function ancestorsOf({ location, document }: Window): readonly string[] {
  const known = 'ancestorOrigins' in location ? Array.from(location.ancestorOrigins) : [];
  if (known.length > 0) return known;
  return URL.canParse(document.referrer) ? [new URL(document.referrer).origin] : [];
}
