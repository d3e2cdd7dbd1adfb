import { createChunk } from '../../chunk';
import type { ParentFrame, ParentMessage } from '../ports';

const heightChunk = createChunk(() => import(/* webpackChunkName: "frame-height" */ './frameHeight'));

/**
 * The embedding page (docs/behaviour.md#embedding). `trusted` checks every ancestor, as `frame-ancestors` does, because an
 * unknown page that embeds a listed parent could cover this one.
 */
export function createParentFrame(
  browser: Window,
  parentOrigins: readonly string[],
  cookieDomain: string | undefined,
): ParentFrame {
  const { parent } = browser;
  const embedded = parent !== browser;
  const ancestors = embedded ? ancestorsOf(browser) : [];
  const [embedder] = ancestors;
  const trusted = embedder !== undefined && ancestors.every((origin) => parentOrigins.includes(origin));
  if (trusted && /[?&]resize=1(?:&|$)/.test(browser.location.search))
    // If the chunk fails to load, the frame keeps its height.
    void heightChunk.load().then(
      ({ postHeights }) => postHeights(browser, embedder),
      () => undefined,
    );
  let lastTold: ParentMessage | undefined;
  return {
    embedded,
    trusted,
    isInFamily: isWithin(cookieDomain, browser.location),
    notify: (message) => {
      if (!trusted || (message === 'removed_tokens' && message === lastTold)) return;
      if (typeof message === 'string') lastTold = message;
      parent.postMessage(message, embedder);
    },
  };
}

/**
 * Whether every ancestor shares the family's cookies. In such a frame, too, WebKit denies storage access, because channels and
 * locks are partitioned; the cookies are not (docs/development.md#frames).
 */
function isWithin(domain: string | undefined, { ancestorOrigins, protocol }: Partial<Location>): boolean {
  if (domain === undefined || ancestorOrigins === undefined) return false;
  return Array.from(ancestorOrigins).every(
    (origin) =>
      origin.startsWith(`${protocol ?? ''}//`) && `.${new URL(origin).hostname}`.endsWith(`.${domain}`),
  );
}

/**
 * The origins of the ancestors, beginning with the parent. Without `ancestorOrigins` (older Firefox) only the parent's is
 * known, from the referrer, and only in a document that the parent has loaded. It is not stored for other documents, because
 * these may have another parent in the same tab.
 */
function ancestorsOf({ location, document }: Window): readonly string[] {
  const known = 'ancestorOrigins' in location ? Array.from(location.ancestorOrigins) : [];
  if (known.length > 0) return known;
  return URL.canParse(document.referrer) ? [new URL(document.referrer).origin] : [];
}
