import type { IncomingMessage, ServerResponse } from 'node:http';
import * as v from 'valibot';
import type { ReadyLink, ReadyLinks } from '../links/readyLinks.ts';
import { html, type Html } from '../http/html.ts';
import { takeStartForm } from './startForm.ts';

/** The ready-made links of the start page, each with its button. */
export function linkList(links: readonly ReadyLink[]): Html {
  return html`<p>Each link works once.</p>
    ${links.map(linkForm)}`;
}

function linkForm({ key, title, expectation, url }: ReadyLink): Html {
  const link =
    url === null
      ? html`${title} <span class="quiet">(used, or expired)</span>`
      : html`<a href="${url}">${title}</a>`;
  return html`<form method="post" action="/links" class="card actions">
    <input type="hidden" name="link" value="${key}" />
    <span>${link}: ${expectation}</span>
    <button>Make again</button>
  </form> `;
}

const formSchema = v.strictObject({ link: v.string() });

/** Takes a button of the list. */
export function takeLinkForm(
  links: ReadyLinks,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  return takeStartForm(request, response, '/#links', (form) => links.replace(v.parse(formSchema, form).link));
}
