import { originOf } from '../hosts.ts';
import type { SentMessage } from '../outbox.ts';
import { html, type Html } from '../http/html.ts';
import type { EnvironmentPage } from '../http/page.ts';

/** What the service has sent, newest first. */
export function outboxPage(port: number, messages: readonly SentMessage[]): EnvironmentPage {
  return {
    title: 'Outbox',
    kind: 'outbox',
    data: { count: String(messages.length) },
    scripts: ['outbox.js'],
    body: html`<header>
        <h1>Outbox</h1>
        <nav>
          <a href="${originOf('app', port)}/login">Sign in</a
          ><a href="${originOf('start', port)}/">Start page</a>
        </nav>
      </header>
      <main>
        ${messages.length === 0 ? html`<p class="quiet">No text message and no e-mail has been sent yet.</p>` : messages.map(article)}
      </main>`,
  };
}

function article(message: SentMessage): Html {
  const at = new Date(message.at).toISOString();
  return html`<article data-kind="${message.kind}">
    <p class="quiet">
      ${message.kind === 'text' ? 'Text message' : 'E-mail'} to <strong>${message.to}</strong>,
      <time datetime="${at}">${at}</time>
    </p>
    ${message.kind === 'mail' ? html`<h2>${message.subject}</h2>` : ''}
    <pre>${withLinks(message.text)}</pre>
  </article> `;
}

/** Addresses of the local environment become links, so that a mailed link can be followed; anything else stays text. */
function withLinks(text: string): readonly Html[] {
  return text
    .split(/(http:\/\/[a-z.]+\.localhost(?::\d+)?\/[^\s<>"']*)/)
    .map((piece, index) => (index % 2 === 1 ? html`<a href="${piece}">${piece}</a>` : html`${piece}`));
}
