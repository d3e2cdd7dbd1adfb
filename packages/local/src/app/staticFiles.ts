import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
};

/** Precompressed variants that the build leaves next to a file, best first. */
const variants = [
  { encoding: 'br', suffix: '.br' },
  { encoding: 'gzip', suffix: '.gz' },
] as const;

/** The build puts source maps next to `dist`; one that got into it is not sent either. */
const sourceMap = /\.map$/i;

/** A name that carries a content hash: its content can never change. */
const hashedName = /\.[0-9a-f]{8,}\.[a-z0-9.]+$/;

/** Content type by file name; an unknown ending is never guessed at. */
function contentTypeOf(name: string): string {
  return contentTypes[path.extname(name).toLowerCase()] ?? 'application/octet-stream';
}

/** Whether a browser accepts a coding: named (or `*`) without a weight of zero. */
export function acceptsEncoding(header: string | string[] | undefined, coding: string): boolean {
  const weights = new Map<string, number>();
  for (const part of String(header ?? '').split(',')) {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase());
    const weight = parameters.find((parameter) => parameter.startsWith('q='));
    weights.set(name, weight === undefined ? 1 : Number(weight.slice(2)));
  }
  return (weights.get(coding) ?? weights.get('*') ?? 0) > 0;
}

/**
 * The file below `folder` that a request path names, or `null`: no such file, a folder, a dot file, a
 * precompressed variant asked for by its own name, a source map, or a path that leads out of the folder.
 */
export async function findFile(folder: string, requestPath: string): Promise<string | null> {
  let decoded: string;
  try {
    decoded = decodeURIComponent(requestPath);
  } catch {
    return null;
  }
  const segments = decoded.split('/').filter((segment) => segment !== '');
  const unsafe = segments.some((segment) => segment.startsWith('.') || /[\\\0]/.test(segment));
  if (segments.length === 0 || unsafe || sourceMap.test(decoded)) return null;
  if (variants.some(({ suffix }) => decoded.endsWith(suffix))) return null;
  const file = path.join(folder, ...segments);
  return (await isFile(file)) ? file : null;
}

/** Sends a file, in the best precompressed variant that the browser takes. */
export async function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  file: string,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const variant = await bestVariant(request, file);
  const source = variant === null ? file : file + variant.suffix;
  const { size } = await stat(source);
  response.writeHead(200, {
    ...headers,
    'Content-Type': contentTypeOf(file),
    'Content-Length': String(size),
    'Cache-Control': hashedName.test(path.basename(file))
      ? 'public, max-age=31536000, immutable'
      : 'no-cache',
    Vary: 'Accept-Encoding',
    ...(variant === null ? {} : { 'Content-Encoding': variant.encoding }),
  });
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
  await pipeline(createReadStream(source), response);
}

async function bestVariant(
  request: IncomingMessage,
  file: string,
): Promise<(typeof variants)[number] | null> {
  for (const variant of variants) {
    const accepted = acceptsEncoding(request.headers['accept-encoding'], variant.encoding);
    if (accepted && (await isFile(file + variant.suffix))) return variant;
  }
  return null;
}

async function isFile(file: string): Promise<boolean> {
  try {
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}
