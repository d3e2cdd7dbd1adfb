const hasLetter = /\p{L}/u;

/**
 * Marks the elements that show a text without a translation as English, for screen readers and for its direction.
 *
 * @returns removes the marks
 */
export function markEnglish(untranslated: ReadonlySet<string>): () => void {
  const marked = new Set<Element>();
  const clear = (): void => {
    for (const element of marked) for (const name of ['lang', 'dir']) element.removeAttribute(name);
    marked.clear();
  };
  const mark = (): void => {
    clear();
    if (untranslated.size === 0) return;
    for (const element of document.body.querySelectorAll('*:not([lang], [dir], bdi)'))
      if (textsOf(element).some((text) => hasLetter.test(text) && untranslated.has(text))) {
        element.setAttribute('lang', 'en');
        element.setAttribute('dir', 'ltr');
        marked.add(element);
      }
  };
  const observer = new MutationObserver(mark);
  observer.observe(document.body, { childList: true, characterData: true, subtree: true });
  mark();
  return () => {
    observer.disconnect();
    clear();
  };
}

/** The texts of an element itself, and not of those inside. */
const textsOf = (element: Element): readonly string[] =>
  [
    ...Array.from(element.childNodes, (node) =>
      node.nodeType === Node.TEXT_NODE ? (node.nodeValue ?? '') : '',
    ),
    element.getAttribute('aria-label') ?? '',
    element.getAttribute('placeholder') ?? '',
  ].flatMap((text) => text.trim() || []);
