import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { CsvError, parse as parseCsv } from 'csv-parse';
import * as v from 'valibot';
import type { AccountPart } from '../core/directory.ts';
import { short, time, word } from '../directory/fileSchemas.ts';
import type { AccountMethod, FileAccount } from '../index.ts';

/** An account of a file, or its fault: a sentence without secrets. */
type AccountLine =
  | { readonly line: number; readonly account: FileAccount }
  | { readonly line: number; readonly fault: string };

/** The file cannot be read; the message is a sentence. */
export class FileFault extends Error {
  override readonly name = 'FileFault';
}

export type AccountFormat = 'jsonl' | 'csv';

/**
 * Reads accounts from a file, or from standard input (`-`): JSON lines in the format of `accounts export`, or CSV.
 *
 * @throws FileFault if it cannot be read, is not UTF-8, or is not valid CSV.
 */
export async function* readAccountFile(
  file: string,
  format: AccountFormat,
  parts: readonly Pick<AccountPart<never>, 'schema'>[],
): AsyncGenerator<AccountLine> {
  const schema = v.strictObject({
    ...ownEntries,
    ...(Object.assign({}, ...parts.map((part) => part.schema)) as object),
  });
  const bytes = file === '-' ? process.stdin : createReadStream(file);
  const text = Readable.from(decoded(bytes));
  const records = format === 'csv' ? csvRecords(text) : jsonLines(text);
  try {
    for await (const record of records) yield 'fault' in record ? record : checked(record, schema);
  } catch (error) {
    throw faultOf(error);
  }
}

/** Rejects other encodings, which would damage names. */
async function* decoded(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for await (const chunk of bytes) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}

function faultOf(error: unknown): unknown {
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
  if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return new FileFault('The file is not in UTF-8.');
  if (error instanceof CsvError) return new FileFault(`The file is no valid CSV (${error.code}).`);
  if (/^E[A-Z]+$/.test(code)) return new FileFault(`The file cannot be read (${code}).`);
  return error;
}

type Raw =
  { readonly line: number; readonly fault: string } | { readonly line: number; readonly value: unknown };

async function* jsonLines(text: Readable): AsyncGenerator<Raw> {
  let line = 0;
  for await (const words of createInterface({ input: text, crlfDelay: Infinity })) {
    line += 1;
    if (words.trim() === '') continue;
    let value: unknown;
    try {
      value = JSON.parse(words);
    } catch {
      // The message of the parser is left out, because it quotes the text.
      yield { line, fault: 'is no valid JSON' };
      continue;
    }
    yield { line, value };
  }
}

/** Reads the records of a CSV file; `methods` and `applications` contain several values, separated by white space. */
async function* csvRecords(text: Readable): AsyncGenerator<Raw> {
  const parser = text.pipe(
    parseCsv({ columns: true, bom: true, info: true, skip_empty_lines: true, trim: true }),
  );
  text.once('error', (error) => parser.destroy(error));
  for await (const { record, info } of parser as AsyncIterable<{
    readonly record: Readonly<Record<string, string>>;
    readonly info: { readonly lines: number };
  }>) {
    const given = Object.entries(record).filter(([, value]) => value !== '');
    const { methods, applications, ...plain } = Object.fromEntries(given);
    const line = info.lines;
    try {
      const value = {
        ...Object.fromEntries(
          Object.entries(plain).map(([name, text]) => [name, flags.has(name) ? trueOrFalse(text) : text]),
        ),
        ...(methods === undefined ? {} : { methods: methods.split(/\s+/).map(methodFrom) }),
        ...(applications === undefined ? {} : { personas: personasFrom(applications.split(/\s+/)) }),
      };
      yield { line, value };
    } catch (error) {
      if (!(error instanceof ValueFault)) throw error;
      yield { line, fault: error.message };
    }
  }
}

/** Columns of a CSV file that are `true` or `false`. */
const flags = new Set(['mustSetUpMfa', 'mustChangePassword']);

function trueOrFalse(given: string): boolean | string {
  return given === 'true' || (given === 'false' ? false : given);
}

/** A value is invalid; the message states the valid form. */
export class ValueFault extends Error {
  override readonly name = 'ValueFault';
}

/** @throws ValueFault */
export function methodFrom(given: string): AccountMethod {
  const [method, tenantId, clientId] = given.split(':');
  if ((method === 'basic' || method === 'google') && tenantId === undefined) return { method };
  if (method === 'microsoft' && tenantId !== undefined && clientId !== undefined)
    return { method, configuration: { tenantId, clientId } };
  throw new ValueFault(`method ${given}: give basic, google, or microsoft:TENANT:CLIENT`);
}

/** @throws ValueFault */
export function personasFrom(given: readonly string[]): Record<string, { applicationUrl: string }[]> {
  const personas: Record<string, { applicationUrl: string }[]> = {};
  for (const one of given) {
    const at = one.indexOf('=');
    const applicationUrl = one.slice(at + 1);
    if (at < 1 || !URL.canParse(applicationUrl))
      throw new ValueFault(
        `application ${one}: give GROUP=ADDRESS, such as ledger=https://ledger.example.com/`,
      );
    const group = one.slice(0, at);
    if (isReserved(group)) throw new ValueFault(`application ${group}: give it another name`);
    (personas[group] ??= []).push({ applicationUrl });
  }
  return personas;
}

/** Whether a name is a property of every object, or would change the prototype. */
function isReserved(group: string): boolean {
  return group in {} || group === 'prototype';
}

const microsoft = v.strictObject({ tenantId: short, clientId: short });
const identity = v.strictObject({ issuer: short, subject: short });

const ownEntries = {
  uid: v.exactOptional(v.pipe(short, v.regex(/^\S+$/, 'must be without blanks'))),
  username: v.pipe(short, v.regex(/\S/, 'must not be blank')),
  /** Default: the username. */
  email: v.optional(v.pipe(short, v.regex(/^[^\s@<>]+@[^\s@<>]+$/, 'must be an e-mail address'))),
  firstName: short,
  lastName: short,
  language: v.exactOptional(short),
  methods: v.optional(
    v.pipe(
      v.array(
        v.variant(
          'method',
          [
            v.strictObject({ method: v.literal('basic') }),
            v.strictObject({ method: v.literal('google') }),
            v.strictObject({ method: v.literal('microsoft'), configuration: microsoft }),
          ],
          'must be basic, google or microsoft',
        ),
        'must be a list',
      ),
      v.check((list) => new Set(list.map(({ method }) => method)).size === list.length, 'must differ'),
    ),
    [{ method: 'basic' }],
  ),
  /** The default comes from the options of the command. */
  personas: v.optional(
    v.pipe(
      // `v.record` ignores some of these names silently.
      v.custom<object>(
        (given) => typeof given !== 'object' || given === null || !Object.keys(given).some(isReserved),
        'must not name an application __proto__, constructor or as another property of every object',
      ),
      v.record(
        v.string(),
        v.array(
          v.strictObject({ applicationUrl: v.pipe(word, v.url('must be an address')) }),
          'must be a list of applications',
        ),
        'must be lists of applications, by their group',
      ),
    ),
  ),
  mustSetUpMfa: v.optional(v.boolean('must be true or false'), false),
  mfa: v.optional(
    v.nullable(
      v.variant(
        'type',
        [
          v.strictObject({
            type: v.literal('authy'),
            phone: short,
            countryCode: v.picklist(['US', 'GB'], 'must be US or GB'),
            authyId: short,
          }),
          v.strictObject({ type: v.literal('mfa'), sealedSecret: v.exactOptional(word) }),
        ],
        'must be authy or mfa',
      ),
    ),
    null,
  ),
  identities: v.optional(
    v.strictObject({ google: v.exactOptional(identity), microsoft: v.exactOptional(identity) }),
    {},
  ),
  lastReset: v.optional(v.nullable(time), null),
  createdAt: v.exactOptional(time),
  disabledAt: v.optional(v.nullable(time), null),
  mustChangePassword: v.optional(v.boolean('must be true or false'), false),
  passwordHash: v.exactOptional(v.union([v.string(), v.record(v.string(), v.unknown())], 'must be a hash')),
};

function checked(
  { line, value }: { readonly line: number; readonly value: unknown },
  schema: v.StrictObjectSchema<typeof ownEntries, undefined>,
): AccountLine {
  if (Array.isArray(value)) return { line, fault: 'is no JSON object' };
  if (typeof value === 'object' && value !== null && 'password' in value)
    return { line, fault: 'password is not taken in clear: give passwordHash' };
  const read = v.safeParse(schema, value);
  if (!read.success) {
    const [issue] = read.issues;
    const place = v.getDotPath(issue);
    const problem =
      issue.expected === 'never'
        ? 'is not known'
        : issue.input === undefined
          ? 'is missing'
          : issue.message.startsWith('must')
            ? issue.message
            : 'is not understood';
    return { line, fault: place === null ? 'is no JSON object' : `${place} ${problem}` };
  }
  const { email, personas, ...account } = read.output;
  return { line, account: { ...account, email: email ?? account.username, personas: personas ?? {} } };
}
