import type { ContractChecker } from '../responseValidation.ts';
import type { Operation } from '../document.ts';

/** The credentials of a registered client. */
export interface ClientCredentials {
  readonly id: string;
  readonly secret: string;
}

/** A received response. */
export interface ReceivedResponse {
  readonly status: number;
  readonly headers: Headers;
  /** `undefined` if the body is not JSON. */
  readonly body: unknown;
}

/** Sends one call; `rawBody` for text that is not JSON. */
export type Send = (
  operation: Operation,
  request: {
    params?: Readonly<Record<string, string>>;
    query?: Readonly<Record<string, string>>;
    body?: unknown;
    rawBody?: string;
    bearer?: string;
    client?: ClientCredentials;
    /** The `Idempotency-Key`. */
    key?: string;
  },
) => Promise<ReceivedResponse>;

/** An open event stream. Its methods throw a `Fault` after the given ms. */
export interface EventStream {
  readonly status: number;
  readonly headers: Headers;
  /** @returns the text so far. */
  readonly firstBytes: (atMostMs: number) => Promise<string>;
  /** @returns the data of the event, parsed. */
  readonly until: (event: string, atMostMs: number) => Promise<unknown>;
  readonly untilEnd: (atMostMs: number) => Promise<void>;
  readonly hasSaid: (event: string) => boolean;
  readonly close: () => void;
}

export type OpenStream = (operation: Operation, bearer: string) => Promise<EventStream>;

/** Both tokens of a session, and what else its token response has. */
export interface Session extends Readonly<Record<string, unknown>> {
  readonly token: string;
  readonly refresh: string;
}

/** The service violates a rule. */
export class Fault extends Error {
  override readonly name = 'Fault';
}

/** The check does not apply to this service. */
export class Skipped extends Error {
  override readonly name = 'Skipped';
}

/** The check of one rule. Throws `Fault` or `Skipped`. */
export interface Check {
  readonly call: string;
  readonly rule: string;
  readonly run: () => Promise<void>;
  /** The check counts as an attempt, or is recorded, so `vestibule doctor` leaves it out. */
  readonly leavesTrace?: true;
}

/** The functions that checks of an extension use. */
export interface ExtensionTools {
  /** @throws Error for a call that is not checked. */
  readonly call: (id: string) => Operation;
  /** Whether the calls of the extension are checked. */
  readonly offers: (extension: string) => boolean;
  readonly checker: ContractChecker;
  readonly send: Send;
  readonly openStream: OpenStream;
  readonly account: { readonly username: string; readonly password: string };
  /** A client that has payments confirmed. */
  readonly client?: ClientCredentials;
  /** Signs in. */
  readonly openSession: () => Promise<Session>;
}

/** What is checked of an extension, beyond the rules of all calls. */
export interface ExtensionChecks {
  readonly name: string;
  /** With the account of the options. */
  readonly signedIn?: (tools: ExtensionTools) => readonly Check[];
  /** Without an account, also by `vestibule doctor`: they change nothing and leave no trace. */
  readonly anonymous?: (
    operations: readonly Operation[],
    checker: ContractChecker,
    send: Send,
  ) => readonly Check[];
}

/** Checks that the response has a shape of the contract for its status, and is not cacheable. */
export function expectShape(
  checker: ContractChecker,
  operation: Operation,
  response: ReceivedResponse,
): void {
  if (response.status === 501) throw new Skipped('the service does not have this call');
  const fault = checker.faultInResponse(operation.id, response.status, response.body);
  if (fault !== null)
    throw new Fault(
      `status ${response.status}: ${response.body === undefined ? 'the body is not JSON' : fault}`,
    );
  if (response.status >= 500) throw new Fault(`status ${response.status}`);
  if (response.headers.get('cache-control')?.includes('no-store') !== true) {
    throw new Fault('Cache-Control is not no-store');
  }
}

/** Checks that the response is an error in the contract's shape, with a status from `least` to `most`. */
export function expectError(
  checker: ContractChecker,
  operation: Operation,
  response: ReceivedResponse,
  least: number,
  most: number,
): void {
  expectShape(checker, operation, response);
  if (response.status < least || response.status > most) {
    throw new Fault(`status ${response.status} instead of ${least === most ? least : `${least} to ${most}`}`);
  }
}

/** The payload of a token, which is not verified. */
export function claimsIn(token: string): Readonly<Record<string, unknown>> {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
    return Object.fromEntries(Object.entries(claims ?? {}));
  } catch {
    throw new Fault('the token is not a JSON Web Token');
  }
}

/** @throws Fault unless the call succeeded in the contract's shape. */
export function bodyOf(
  { checker }: Pick<ExtensionTools, 'checker'>,
  operation: Operation,
  response: Awaited<ReturnType<Send>>,
): Readonly<Record<string, unknown>> {
  expectShape(checker, operation, response);
  if (response.status < 200 || response.status > 299)
    throw new Fault(`${operation.id} has status ${response.status} instead of 2XX`);
  return Object.fromEntries(Object.entries(response.body ?? {}));
}
