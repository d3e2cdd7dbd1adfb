import path from 'node:path';
import { negotiate } from '@fastify/accept-negotiator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import parseRange from 'range-parser';
import { fileHeaders } from './builtFiles.ts';
import type { KeptFile } from './keptFiles.ts';

/** The files of a build and of themes. Any other is not run, because of `X-Content-Type-Options`. */
const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'application/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** Sends a file of another release like one of this release: its coding, a range of it, or that it has not changed. */
export function sendKeptFile(
  request: FastifyRequest,
  reply: FastifyReply,
  name: string,
  file: KeptFile,
): FastifyReply {
  const coding = negotiate<'br' | 'gzip'>(request.headers['accept-encoding'] ?? '', ['br', 'gzip']);
  const content = file[coding ?? 'identity'];
  const etag = `"${file.hash}${coding === null ? '' : `-${coding}`}"`;
  const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch, 'if-range': ifRange, range } = request.headers;
  reply.headers({ ...fileHeaders(name), ETag: etag, 'Accept-Ranges': 'bytes' });
  if (ifMatch !== undefined && !lists(ifMatch, etag)) return sendNothing(reply, 412);
  if (ifNoneMatch !== undefined && lists(ifNoneMatch, etag)) return sendNothing(reply, 304);
  if (coding !== null) reply.header('Content-Encoding', coding);
  reply.type(types[path.extname(name)] ?? 'application/octet-stream');
  const ranges =
    range === undefined || (ifRange !== undefined && ifRange !== etag)
      ? -2
      : parseRange(content.length, range);
  if (ranges === -1)
    return sendNothing(reply.header('Content-Range', `bytes */${String(content.length)}`), 416);
  // A malformed range is ignored, and so are several, as those of files are.
  if (ranges === -2 || ranges.type !== 'bytes' || ranges.length !== 1) return reply.status(200).send(content);
  const [{ start, end } = { start: 0, end: content.length - 1 }] = ranges;
  return reply
    .status(206)
    .header('Content-Range', `bytes ${String(start)}-${String(end)}/${String(content.length)}`)
    .send(content.subarray(start, end + 1));
}

/** Whether a condition lists an ETag, or any. A proxy may have made it weak. */
const lists = (condition: string, etag: string): boolean =>
  condition.split(',').some((one) => [etag, '*'].includes(one.trim().replace(/^W\//, '')));

function sendNothing(reply: FastifyReply, status: number): FastifyReply {
  if (status !== 304) reply.header('Cache-Control', 'no-store');
  return reply.status(status).removeHeader('Content-Encoding').removeHeader('Content-Type').send();
}
