/** Markup that is safe to send: everything interpolated into it has been escaped. */
export class Html {
  constructor(readonly markup: string) {}
}

/** What may stand inside a template: text (escaped), markup, lists of markup. */
type Part = string | number | Html | readonly Html[];

/** Template tag for pages: text is escaped, markup made by this tag is kept. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(
    strings.map((piece, index) => piece + (index < parts.length ? write(parts[index] ?? '') : '')).join(''),
  );
}

function write(part: Part): string {
  if (part instanceof Html) return part.markup;
  if (typeof part === 'string' || typeof part === 'number') return escapeHtml(String(part));
  return part.map(({ markup }) => markup).join('');
}

/** Text as written in HTML, in an element as well as in a quoted attribute. */
function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
