import http from 'node:http';
import * as v from 'valibot';
import { readBody } from '../http/send.ts';
import { hostOf } from '../hosts.ts';
import type { SentMessage } from '../outbox.ts';
import { messagesSchema } from '../outbox.ts';
import type { BehaviourChange } from '../providers/behaviour.ts';
import { linkOverHttpSchema, type LinkOverHttp, type LinkRequest } from '../links/linkRequest.ts';
import type { FaultRule } from './faults.ts';
import type { JournalEntry } from './journal.ts';
import { parsedBody } from './journal.ts';
import type { AccountOverHttp } from './accountSchema.ts';

const sessionCookiesSchema = v.object({
  cookies: v.array(
    v.object({
      name: v.string(),
      value: v.string(),
      domain: v.string(),
      path: v.string(),
      sameSite: v.picklist(['Lax', 'Strict', 'None']),
      secure: v.boolean(),
    }),
  ),
});

/** A session cookie, as `addCookies` of a Playwright context takes it. */
export type SessionCookie = v.InferOutput<typeof sessionCookiesSchema>['cookies'][number];

/** The control surface of an environment, also of one in another process. */
export interface ControlClient {
  /** What the service was asked since the last reset, in order; preflights too. */
  readonly journal: () => Promise<readonly JournalEntry[]>;
  readonly clearJournal: () => Promise<void>;
  readonly setFault: (rule: FaultRule) => Promise<void>;
  readonly clearFaults: () => Promise<void>;
  /** Makes something go wrong at a provider, or heals it. */
  readonly setProvider: (change: BehaviourChange) => Promise<void>;
  /** Text messages and mails that were sent, newest first. */
  readonly outbox: () => Promise<readonly SentMessage[]>;
  /** Creates or overwrites an account. */
  readonly putAccount: (account: AccountOverHttp) => Promise<void>;
  /**
   * Signs a user in without a browser: a ready-made account, one of the test's own, or one that was put.
   *
   * @returns cookies for `addCookies` of a Playwright context; of setup mode if the account must set up its second step
   * @throws ControlError for an unknown account, and when the service refuses.
   */
  readonly signInAs: (account: string | { readonly username: string }) => Promise<SessionCookie[]>;
  readonly clock: {
    /**
     * Moves the time of service and providers forward; a page has its own clock (`page.clock`).
     *
     * @param ms milliseconds
     * @returns the time afterwards, milliseconds since 1970
     */
    readonly advance: (ms: number) => Promise<number>;
  };
  /** Makes a link of any kind: an invitation, a reset link, a magic link. */
  readonly makeLink: (request: LinkRequest) => Promise<LinkOverHttp>;
  /** Accounts, providers and clock as at first, no lockouts, no faults, empty journal and outbox. */
  readonly reset: () => Promise<void>;
}

const journalSchema = v.object({
  entries: v.array(
    v.object({
      id: v.number(),
      at: v.number(),
      method: v.string(),
      path: v.string(),
      headers: v.record(v.string(), v.string()),
      body: v.unknown(),
      status: v.nullable(v.number()),
      fault: v.nullable(v.string()),
    }),
  ),
});

/**
 * Talks to an environment on this machine. It goes to 127.0.0.1 and names the host in the Host header, for Node may not
 * know `*.localhost`.
 *
 * Each call rejects when the environment does not respond or refuses.
 */
export function controlClient(port: number): ControlClient {
  const ask = (method: string, path: string, body?: unknown): Promise<unknown> =>
    askControl(port, method, path, body);
  const tell = async (method: string, path: string, body?: unknown): Promise<void> => {
    await ask(method, path, body);
  };
  return {
    journal: async () => v.parse(journalSchema, await ask('GET', '/journal')).entries,
    clearJournal: () => tell('DELETE', '/journal'),
    setFault: (rule) => tell('POST', '/faults', rule),
    clearFaults: () => tell('DELETE', '/faults'),
    setProvider: (change) => tell('POST', '/providers', change),
    outbox: async () => v.parse(messagesSchema, await ask('GET', '/outbox')).messages,
    makeLink: async (request) => v.parse(linkOverHttpSchema, await ask('POST', '/links', request)),
    putAccount: (account) => tell('POST', '/accounts', account),
    signInAs: async (account) => {
      const username = typeof account === 'string' ? account : account.username;
      return v.parse(sessionCookiesSchema, await ask('POST', '/sign-ins', { username })).cookies;
    },
    clock: {
      advance: async (ms) =>
        v.parse(v.object({ now: v.number() }), await ask('POST', '/clock', { advance: ms })).now,
    },
    reset: () => tell('POST', '/reset'),
  };
}

/** The environment responded with an unexpected status or body. */
export class ControlError extends Error {
  override readonly name = 'ControlError';
  /** The environment's own words, where it has any. */
  readonly reason: string | null;

  constructor(call: string, status: number, response: unknown) {
    super(`${call} was answered ${String(status)}: ${JSON.stringify(response)}`);
    const worded = v.safeParse(v.object({ error: v.object({ message: v.string() }) }), response);
    this.reason = worded.success ? worded.output.error.message : null;
  }
}

async function askControl(port: number, method: string, path: string, body: unknown): Promise<unknown> {
  const payload = body === undefined ? undefined : JSON.stringify(body);
  const request = http.request({
    host: '127.0.0.1',
    port,
    method,
    path,
    headers: {
      Host: hostOf('control', port),
      ...(payload === undefined
        ? {}
        : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(payload) }),
    },
  });
  const answered = await new Promise<http.IncomingMessage>((resolve, reject) => {
    request.once('response', resolve).once('error', reject);
    request.end(payload);
  });
  const value = parsedBody(await readBody(answered));
  if (answered.statusCode !== 200) {
    throw new ControlError(`${method} ${path}`, answered.statusCode ?? 0, value);
  }
  return value;
}
