import type { BrowserContext } from '@playwright/test';

/**
 * Changes the page as Google Translate does: each text is taken out and stands, translated, in two `font` elements, at once and
 * whenever another text appears; what is marked `translate="no"` stays. The translation is the text with a no-break space, which
 * is another text for React and the same for locators.
 *
 * @param start - before the code has arrived, or once it draws the page
 */
export async function translatePages(
  context: BrowserContext,
  start: 'before the code' | 'after the code',
): Promise<void> {
  await context.addInitScript((isEarly) => {
    const untouched = 'font, script, style, noscript, textarea, [translate=no]';
    const makeFont = (): HTMLElement => {
      const font = document.createElement('font');
      font.style.verticalAlign = 'inherit';
      return font;
    };
    const translate = (text: Node): void => {
      const words = text.nodeValue ?? '';
      if (words.trim() === '' || text.parentElement?.closest(untouched)) return;
      const [outer, inner] = [makeFont(), makeFont()];
      inner.textContent = `${words}\u00a0`;
      outer.append(inner);
      text.parentNode?.replaceChild(outer, text);
    };
    const translateAll = (): void => {
      const isAwaited = document.querySelector('#late, [data-inline-login], #root[hidden]') !== null;
      if (!document.querySelector('#root') || (isAwaited && !isEarly)) return;
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      const texts: Node[] = [];
      while (walker.nextNode()) texts.push(walker.currentNode);
      texts.forEach(translate);
    };
    const kinds = { childList: true, characterData: true, attributes: true, subtree: true };
    new MutationObserver(translateAll).observe(document, kinds);
  }, start === 'before the code');
}
