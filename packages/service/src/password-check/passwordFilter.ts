import { isAscii } from 'node:buffer';
import { createHash } from 'node:crypto';
import { closeSync, createReadStream, fstatSync, openSync, readSync } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { md4 } from 'hash-wasm';
import { composed } from '../platform/security/passwords.ts';

/**
 * A blocked Bloom filter in a file. The digest of a password selects a block of 64 bytes, in which eight bits are set. A look-up
 * reads only that block, so the filter needs no memory of the process, and all processes share the file cache of the system.
 * (Libraries for such filters hold the whole filter in memory, and several copies while it is built.) With 16 bits for each entry,
 * fewer than one in a thousand other passwords is reported as contained.
 */
const blockBytes = 64;
const bitsPerEntry = 16;
const bitsPerDigest = 8;
/** The first bytes of the file, which has one block as its header: this, the kind, the number of entries. */
const magic = 'VPF1';
/** The size of the part of the filter that one reading of the source builds in memory. */
const partBytes = 256 * 1024 * 1024;

/** The input of the digest: the bytes of the password in UTF-8, or in UTF-16. */
const kinds = ['sha1', 'ntlm'] as const;
type Kind = (typeof kinds)[number];

/** An imported list cannot be read; the message is a sentence. */
export class PasswordListError extends Error {
  override readonly name = 'PasswordListError';
}

/** What a filter was built from. */
interface PasswordFilterFacts {
  readonly kind: Kind;
  readonly entries: number;
  readonly bytes: number;
}

/**
 * Whether a password is in the filter. It is opened for each look-up (some microseconds), so a new import takes effect at once. The
 * read is synchronous because an asynchronous one would wait behind password hashes for a thread.
 *
 * @throws Error if there is no such file; PasswordListError if it is no filter.
 */
export async function isInPasswordFilter(file: string, password: string): Promise<boolean> {
  const filter = openFilter(file);
  try {
    const digest = await digestOf(filter.kind, password);
    const block = Buffer.alloc(blockBytes);
    const blocks = filter.bytes / blockBytes - 1;
    readSync(filter.fd, block, 0, blockBytes, (1 + blockOf(digest, blocks)) * blockBytes);
    return bitsOf(digest).every((bit) => ((block[bit >> 3] ?? 0) & (1 << (bit & 7))) !== 0);
  } finally {
    closeSync(filter.fd);
  }
}

/** @throws as `isInPasswordFilter`. */
export function readPasswordFilter(file: string): PasswordFilterFacts {
  const { fd, ...facts } = openFilter(file);
  closeSync(fd);
  return facts;
}

function openFilter(file: string): PasswordFilterFacts & { readonly fd: number } {
  const fd = openSync(file, 'r');
  const header = Buffer.alloc(blockBytes);
  readSync(fd, header, 0, blockBytes, 0);
  const bytes = fstatSync(fd).size;
  const kind = kinds[header[magic.length] ?? kinds.length];
  if (header.toString('latin1', 0, magic.length) === magic && kind !== undefined) {
    const entries = Number(header.readBigUInt64LE(8));
    if (bytes === bytesFor(entries)) return { fd, kind, entries, bytes };
  }
  closeSync(fd);
  throw new PasswordListError(`${file} is not a list that \`vestibule passwords import\` has written.`);
}

const bytesFor = (entries: number): number =>
  (1 + Math.max(1, Math.ceil((entries * bitsPerEntry) / 8 / blockBytes))) * blockBytes;

/**
 * Builds a filter, which replaces the target when it is complete.
 *
 * @param source SHA-1 or NTLM hashes in hexadecimal, with or without `:COUNT`, or passwords, one a line. The first line decides which.
 * Read once to count the lines, and once for every 256 MB of the filter.
 * @param onProgress is called with the completed share, from 0 to 1.
 * @throws PasswordListError for a source without a line, or with a line that is unlike the first; the message names that line.
 */
export async function buildPasswordFilter(
  source: string,
  target: string,
  onProgress: (share: number) => void = () => undefined,
): Promise<PasswordFilterFacts> {
  const { kind, hexDigits, entries } = await examine(source);
  const bytes = bytesFor(entries);
  const blocks = bytes / blockBytes - 1;
  const header = Buffer.alloc(blockBytes);
  header.write(magic, 'latin1');
  header[magic.length] = kinds.indexOf(kind);
  header.writeBigUInt64LE(BigInt(entries), 8);
  const incomplete = `${target}.new`;
  // The list is no secret, and may be written by another user than that of the processes.
  const file = await open(incomplete, 'w', 0o644);
  try {
    await file.write(header, 0, blockBytes, 0);
    const mostOfPart = partBytes / blockBytes;
    for (let first = 0; first < blocks; first += mostOfPart) {
      const count = Math.min(mostOfPart, blocks - first);
      const part = Buffer.alloc(count * blockBytes);
      const digest = new Uint8Array(digestBytes);
      let line = 0;
      await eachLine(
        source,
        (chunk, start, end) => {
          line += 1;
          if (hexDigits === null)
            digest.set(digestOfWord(chunk.subarray(start, end)).subarray(0, digestBytes));
          else if (!readHex(chunk, start, end, hexDigits, digest))
            throw new PasswordListError(`Line ${line} is not a hash like the first one.`);
          const block = blockOf(digest, blocks) - first;
          if (block < 0 || block >= count) return;
          for (const bit of bitsOf(digest)) {
            const at = block * blockBytes + (bit >> 3);
            part[at] = (part[at] ?? 0) | (1 << (bit & 7));
          }
        },
        (share) => {
          onProgress((first + count * share) / blocks);
        },
      );
      for (let done = 0; done < part.length;)
        done += (await file.write(part, done, null, (1 + first) * blockBytes + done)).bytesWritten;
    }
    await file.sync();
    await file.close();
    await rename(incomplete, target);
  } catch (error) {
    await file.close();
    await rm(incomplete, { force: true });
    throw error;
  }
  return { kind, entries, bytes };
}

/** Counts the lines, and determines their kind from the first one. */
async function examine(
  source: string,
): Promise<{ readonly kind: Kind; readonly hexDigits: number | null; readonly entries: number }> {
  let entries = 0;
  let first = '';
  await eachLine(source, (chunk, start, end) => {
    if (entries === 0) first = chunk.toString('latin1', start, Math.min(end, start + 64));
    entries += 1;
  });
  if (entries === 0) throw new PasswordListError(`${source} has no line.`);
  const [, hash] = /^([\dA-F]{40}|[\dA-F]{32})(?::\d+)?$/i.exec(first) ?? [];
  return { kind: hash?.length === 32 ? 'ntlm' : 'sha1', hexDigits: hash?.length ?? null, entries };
}

const lineFeed = 10;
const carriageReturn = 13;

/** Calls `onLine` for each line that is not empty, without its end. */
async function eachLine(
  file: string,
  onLine: (chunk: Buffer, start: number, end: number) => void,
  onRead?: (share: number) => void,
): Promise<void> {
  const { size } = await stat(file);
  const line = (chunk: Buffer, start: number, feed: number): void => {
    const end = chunk[feed - 1] === carriageReturn ? feed - 1 : feed;
    if (end > start) onLine(chunk, start, end);
  };
  let rest: Buffer = Buffer.alloc(0);
  let read = 0;
  for await (const piece of createReadStream(file, { highWaterMark: 1024 * 1024 })) {
    const bytes = piece as Buffer;
    read += bytes.length;
    const chunk = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
    let start = 0;
    for (let feed = chunk.indexOf(lineFeed); feed !== -1; feed = chunk.indexOf(lineFeed, start)) {
      line(chunk, start, feed);
      start = feed + 1;
    }
    rest = chunk.subarray(start);
    if (rest.length > longestLine)
      throw new PasswordListError(`${file} is not a list with one entry a line.`);
    onRead?.(Math.min(1, read / size));
  }
  line(rest, 0, rest.length);
}

/** The longest line of a source, in bytes. */
const longestLine = 65_536;

/** Whether the line is a hash of this many digits, alone or before a colon. */
function readHex(chunk: Buffer, start: number, end: number, digits: number, digest: Uint8Array): boolean {
  const length = end - start;
  if (length < digits || (length > digits && chunk[start + digits] !== colon)) return false;
  for (let index = 0; index < digestBytes; index += 1) {
    const high = hexValues[chunk[start + 2 * index] ?? 0] ?? notHex;
    const low = hexValues[chunk[start + 2 * index + 1] ?? 0] ?? notHex;
    if (high === notHex || low === notHex) return false;
    digest[index] = (high << 4) | low;
  }
  return true;
}

const colon = 58;
const notHex = 255;
const hexValues = Uint8Array.from({ length: 256 }, (_none, code) => {
  const character = String.fromCharCode(code);
  return /[\da-f]/i.test(character) ? Number.parseInt(character, 16) : notHex;
});

/** The used length of a digest, which is that of an NTLM hash. */
const digestBytes = 16;

/** The hash of the composed form of a password in UTF-8. */
function digestOfWord(bytes: Buffer): Buffer {
  return sha1(isAscii(bytes) ? bytes : Buffer.from(composed(bytes.toString('utf8')), 'utf8'));
}

function sha1(bytes: Uint8Array): Buffer {
  return createHash('sha1').update(bytes).digest();
}

async function digestOf(kind: Kind, password: string): Promise<Uint8Array> {
  // OpenSSL has MD4 only with its legacy provider.
  if (kind === 'ntlm') return Buffer.from(await md4(Buffer.from(password, 'utf16le')), 'hex');
  return sha1(Buffer.from(password, 'utf8'));
}

/** Selects the block by the first six bytes of the digest. */
function blockOf(digest: Uint8Array, blocks: number): number {
  let share = 0;
  for (let index = 5; index >= 0; index -= 1) share = (share + (digest[index] ?? 0)) / 256;
  return Math.floor(share * blocks);
}

/** Selects the bits in the block, each by nine bits of the following bytes of the digest. */
function bitsOf(digest: Uint8Array): readonly number[] {
  const bits: number[] = [];
  for (let index = 0; index < bitsPerDigest; index += 1) {
    const at = 6 + index;
    bits.push((((digest[at] ?? 0) << (index + 1)) | ((digest[at + 1] ?? 0) >> (7 - index))) & 511);
  }
  return bits;
}
