import { readdirSync, readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import path from 'node:path';
import { send } from './send.ts';
import { html, type Html } from './html.ts';

/** The folder of the files that the pages load below `/local/`: not compiled, so the same from `src` and from `dist`. */
const folder = new URL('../../src/pages/assets/', import.meta.url);
const files = new Map(
  readdirSync(folder).map((name) => [`/local/${name}`, readFileSync(new URL(name, folder))]),
);
const types: Readonly<Record<string, string>> = { '.css': 'text/css', '.js': 'text/javascript' };

/** Sends a file that the pages load. @returns `false` if there is none at this path. */
export function sendPageFile(response: ServerResponse, pathname: string): boolean {
  const file = files.get(pathname);
  if (file === undefined) return false;
  const type = `${types[path.extname(pathname)] ?? ''}; charset=utf-8`;
  send(response, 200, { ...pageHeaders(), 'Content-Type': type }, file);
  return true;
}

/** A page of the environment's own: demo applications, start page, outbox, the providers' questions. */
export interface EnvironmentPage {
  readonly title: string;
  /** Extra class of the body: which application it belongs to. */
  readonly kind: 'start' | 'ledger' | 'hub' | 'reports' | 'outbox' | 'parent' | 'provider';
  /** Facts for the page's script, as `data-*` attributes of the body. */
  readonly data?: Readonly<Record<string, string>>;
  /** File names below `/local/` of the scripts, loaded as modules. */
  readonly scripts?: readonly string[];
  /** Origins that the page embeds. */
  readonly frames?: readonly string[];
  /** Origins that the page calls, besides its own. */
  readonly connects?: readonly string[];
  readonly body: Html;
}

/**
 * Headers of the environment's own pages, as strict as the application's. Sibling applications read the same cookies: one weak
 * page would expose all.
 */
export function pageHeaders({
  frames = [],
  connects = [],
}: Pick<EnvironmentPage, 'frames' | 'connects'> = {}): Readonly<Record<string, string>> {
  return {
    'Content-Security-Policy': [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self' data:",
      ['connect-src', "'self'", ...connects].join(' '),
      ...(frames.length > 0 ? [`frame-src ${frames.join(' ')}`] : []),
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ].join('; '),
    // Parents must let their origin be seen: where `ancestorOrigins` is missing, the referrer is all that the
    // embedded page has to know them by (docs/behaviour.md#embedding).
    'Referrer-Policy': 'strict-origin',
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Opener-Policy': 'same-origin-allow-popups',
    'Cache-Control': 'no-store',
  };
}

/** Sends a page of the environment's own. */
export function sendEnvironmentPage(response: ServerResponse, page: EnvironmentPage, status = 200): void {
  send(
    response,
    status,
    { 'Content-Type': 'text/html; charset=utf-8', ...pageHeaders(page) },
    renderPage(page).markup,
  );
}

/** The whole document of a page. */
export function renderPage(page: EnvironmentPage): Html {
  const data = Object.entries(page.data ?? {}).map(([name, value]) => html` data-${name}="${value}"`);
  const scripts = (page.scripts ?? []).map(
    (name) => html`<script type="module" src="/local/${name}"></script>`,
  );
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>${page.title}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="/local/page.css" />
        ${scripts}
      </head>
      <body class="${page.kind}" ${data}>
        ${page.body}
      </body>
    </html> `;
}
