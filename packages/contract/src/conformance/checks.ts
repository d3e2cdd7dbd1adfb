import type { ContractChecker } from '../answers.ts';
import type { Operation } from '../document.ts';

/** An answer as the checks see it. */
export interface ReceivedResponse {
  readonly status: number;
  readonly headers: Headers;
  /** `undefined` when the body is not JSON. */
  readonly body: unknown;
}

/** Sends one call. `body` may be raw text, for what is not JSON. */
export type Send = (
  operation: Operation,
  request: { params?: Readonly<Record<string, string>>; body?: unknown; rawBody?: string; bearer?: string },
) => Promise<ReceivedResponse>;

/** Both tokens of a session. */
export interface Session {
  readonly token: string;
  readonly refresh: string;
}

/** A rule that was found broken. */
export class Fault extends Error {
  override readonly name = 'Fault';
}

/** The check cannot be made here. */
export class Skipped extends Error {
  override readonly name = 'Skipped';
}

/** One rule, to be tried. Throws `Fault` or `Skipped`. */
export interface Check {
  readonly call: string;
  readonly rule: string;
  readonly run: () => Promise<void>;
  /** It counts as an attempt, or is recorded: not for a service that is only asked how it is. */
  readonly leavesTrace?: true;
}

/** The answer has a shape that the contract gives its status, and is not to be cached. */
export function expectShape(checker: ContractChecker, operation: Operation, answer: ReceivedResponse): void {
  if (answer.status === 501) throw new Skipped('the service does not have this call');
  const fault = checker.faultInAnswer(operation.id, answer.status, answer.body);
  if (fault !== null)
    throw new Fault(`status ${answer.status}: ${answer.body === undefined ? 'the body is not JSON' : fault}`);
  if (answer.status >= 500) throw new Fault(`status ${answer.status}`);
  if (answer.headers.get('cache-control')?.includes('no-store') !== true) {
    throw new Fault('Cache-Control is not no-store');
  }
}

/** The answer is an error in the contract's shape, with a status from `least` to `most`. */
export function expectError(
  checker: ContractChecker,
  operation: Operation,
  answer: ReceivedResponse,
  least: number,
  most: number,
): void {
  expectShape(checker, operation, answer);
  if (answer.status < least || answer.status > most) {
    throw new Fault(`status ${answer.status} instead of ${least === most ? least : `${least} to ${most}`}`);
  }
}
