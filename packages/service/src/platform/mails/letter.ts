import { directionOf } from '@vestibule/contract/languages';
import type { Mail } from '../outbox/outbox.ts';
import { worded, type Text } from '../texts/texts.ts';
import { logoHeight, type MailColours, type MailLook } from '../themes/mailLook.ts';

/** The content of a mail. Each part is a paragraph; a link has its own. */
export interface Letter {
  readonly subject: Text;
  readonly parts: readonly (Text | { readonly url: string; readonly label: Text })[];
}

/**
 * Words a letter in a language, as text and HTML. User input (names, usernames) is escaped, and kept on one line.
 *
 * @param look of the default brand's theme; absent: plain HTML.
 */
export function writeMail(to: string, { subject, parts }: Letter, language: string, look?: MailLook): Mail {
  const line = (text: Text): string => oneLine(worded(text, language));
  const text = parts.map((part) => ('url' in part ? part.url : line(part)));
  const markup = parts.map((part) =>
    'url' in part
      ? `<p><a${look === undefined ? '' : buttonOf(look)} href="${escaped(part.url)}">${escaped(line(part.label))}</a></p>`
      : `<p>${escaped(line(part))}</p>`,
  );
  return {
    to: oneLine(to),
    subject: line(subject),
    text: `${text.join('\n\n')}\n`,
    html: `<!doctype html>\n<html lang="${language}"${directionOf(language) === 'rtl' ? ' dir="rtl"' : ''}>\n${documentOf(markup.join('\n'), look)}\n</html>\n`,
  };
}

/**
 * Mail programs with a dark scheme use the rules of the style sheet, or change the colours by themselves: each text has its colour and
 * its background in one place.
 */
function documentOf(markup: string, look: MailLook | undefined): string {
  if (look === undefined) return `<body>\n${markup}\n</body>`;
  const { light, dark, logo, radius, label } = look;
  const image =
    logo === undefined
      ? ''
      : `<img src="${escaped(logo.url)}" alt="" width="${String(logo.width)}" height="${String(logoHeight)}" style="max-width:100%;vertical-align:middle"> `;
  const scheme = Object.entries(rulesOf(dark)).map(
    ([name, declarations]) => `.${name}{${declarations.replaceAll(';', '!important;')}}`,
  );
  const { page, card } = rulesOf(light);
  return `<head>
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<style>:root{color-scheme:light dark}@media (prefers-color-scheme:dark){${scheme.join('')}}</style>
</head>
<body class="page" style="margin:0;padding:24px 12px;${page}">
<div class="card" style="max-width:520px;margin:0 auto;padding:16px 32px;border-radius:${String(radius)}px;font:16px/1.5 system-ui,sans-serif;${card}">
<p>${image}<strong>${escaped(oneLine(label))}</strong></p>
${markup}
</div>
</body>`;
}

const rulesOf = ({ page, card, text, button, onButton }: MailColours) => ({
  page: `background:${page};`,
  card: `background:${card};color:${text};`,
  button: `background:${button};color:${onButton};`,
});

const buttonOf = ({ radius, light }: MailLook): string =>
  ` class="button" style="display:inline-block;padding:12px 20px;border-radius:${String(radius)}px;font-weight:600;text-decoration:none;${rulesOf(light).button}"`;

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
