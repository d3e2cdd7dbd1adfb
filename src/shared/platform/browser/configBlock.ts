/** The text of the page's configuration block (decisions §1); `null` when the page has none. */
export function readConfigBlock(document: Document): string | null {
  return document.getElementById('app-config')?.textContent ?? null;
}
