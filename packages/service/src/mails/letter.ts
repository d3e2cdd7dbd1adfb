import type { Mail } from '../outbox/outbox.ts';

/** A mail before it has a form: each part is a paragraph, a link stands in one of its own. */
export interface Letter {
  readonly subject: string;
  readonly parts: readonly (string | { readonly url: string; readonly label: string })[];
}

/** Writes a letter in both forms. What users entered (names, usernames) is text in both, on one line. */
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

/** Without line breaks a name cannot add a header, or a paragraph that looks like part of the letter. */
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
