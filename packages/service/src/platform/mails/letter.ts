import type { Mail } from '../outbox/outbox.ts';

/** The content of a mail. Each part is a paragraph; a link has its own. */
export interface Letter {
  readonly subject: string;
  readonly parts: readonly (string | { readonly url: string; readonly label: string })[];
}

/** Formats a letter as text and HTML. User input (names, usernames) is escaped, and kept on one line. */
export function writeMail(to: string, { subject, parts }: Letter): Mail {
  const text = parts.map((part) => (typeof part === 'string' ? oneLine(part) : part.url));
  const markup = parts.map((part) =>
    typeof part === 'string'
      ? `<p>${escaped(oneLine(part))}</p>`
      : `<p><a href="${escaped(part.url)}">${escaped(oneLine(part.label))}</a></p>`,
  );
  return {
    to: oneLine(to),
    subject: oneLine(subject),
    text: `${text.join('\n\n')}\n`,
    html: `<!doctype html>\n<html lang="en">\n<body>\n${markup.join('\n')}\n</body>\n</html>\n`,
  };
}

/** Without line breaks, a name cannot add a header or a paragraph. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}
