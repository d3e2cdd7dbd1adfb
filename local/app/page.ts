import { readFile, stat } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { answer } from '../answer';
import { fillConfigBlock } from './configBlock';
import { acceptsEncoding } from './staticFiles';

/** The page with its configuration written in, in every coding that a browser may ask for. */
export interface FilledPage {
  readonly identity: Buffer;
  readonly br: Buffer;
  readonly gzip: Buffer;
}

/** Fills and compresses a page. The build's own compressed copies hold the page without its configuration. */
export function fillPage(page: string, config: unknown): FilledPage {
  const identity = Buffer.from(fillConfigBlock(page, config));
  return { identity, br: brotliCompressSync(identity), gzip: gzipSync(identity) };
}

/**
 * A reader of `index.html` that fills it once and again whenever the file has changed (a new build under a
 * running world). Resolves to `null` while there is no build.
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
  answer(
    response,
    200,
    {
      ...headers,
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      Vary: 'Accept-Encoding',
      ...(coding === undefined ? {} : { 'Content-Encoding': coding }),
    },
    page[coding ?? 'identity'],
  );
}
