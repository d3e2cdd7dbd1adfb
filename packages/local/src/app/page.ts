import { readFile, stat } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { allowInline } from '@vestibule/contract/pageHeaders';
import { fillPage, type FilledPage } from '@vestibule/contract/page';
import { send } from '../http/send.ts';
import { acceptsEncoding } from './staticFiles.ts';

/**
 * A reader of `index.html` that fills it once and again whenever the file has changed (a new build under a
 * running environment). Resolves to `null` while there is no build.
 */
export function pageReader(file: string, config: unknown): () => Promise<FilledPage | null> {
  let kept: { readonly changed: number; readonly page: FilledPage } | null = null;
  return async () => {
    const facts = await stat(file).catch(() => null);
    if (facts === null) return null;
    if (kept?.changed !== facts.mtimeMs) {
      kept = { changed: facts.mtimeMs, page: fillPage(await readFile(file, 'utf8'), config) };
    }
    return kept.page;
  };
}

/** Sends the page. It is never kept: it names the hashed files of one build. */
export function sendPage(
  request: IncomingMessage,
  response: ServerResponse,
  page: FilledPage,
  headers: Readonly<Record<string, string>>,
): void {
  const accepted = request.headers['accept-encoding'];
  const coding = (['br', 'gzip'] as const).find((candidate) => acceptsEncoding(accepted, candidate));
  send(
    response,
    200,
    {
      ...allowInline(headers, page.inline),
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      Vary: 'Accept-Encoding',
      ...(coding === undefined ? {} : { 'Content-Encoding': coding }),
    },
    page[coding ?? 'identity'],
  );
}
