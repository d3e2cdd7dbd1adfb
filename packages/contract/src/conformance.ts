import { createContractChecker } from './answers.ts';
import { accountChecks } from './conformance/accountChecks.ts';
import { anonymousChecks } from './conformance/anonymousChecks.ts';
import { Fault, Skipped, type Check } from './conformance/checks.ts';
import { corsCheck } from './conformance/corsCheck.ts';
import { linkChecks } from './conformance/linkChecks.ts';
import { sender } from './conformance/send.ts';
import { operationsOf, readContract } from './document.ts';

/** What the suite is run against. */
export interface ConformanceOptions {
  /** Base URL of the service; the contract's paths are appended. */
  readonly baseUrl: string;
  /** A basic account without two-step verification, and with a persona. Without it only anonymous checks run. */
  readonly account?: { readonly username: string; readonly password: string };
  /** An origin that the service must allow (CORS). */
  readonly origin?: string;
  /** Extensions of the contract that the service offers: their calls are checked too. None unless given. */
  readonly extensions?: readonly string[];
}

/** What one check came to. */
export interface CheckResult {
  /** The contract's name of the call. */
  readonly call: string;
  readonly rule: string;
  /** 'skipped': the service answered 501, or the options do not allow the check. */
  readonly outcome: 'passed' | 'failed' | 'skipped';
  /** Why, for anything but 'passed'; holds no credentials. */
  readonly detail?: string;
}

/**
 * Checks a service, anyone's, against `openapi.yaml`: shapes of answers and of errors, refusal of what breaks the
 * contract and of unknown links, and with an account sign-in, rotation, the user call and what a change of password refuses. It sends no text message and no mail: where an
 * example names a person, an address that cannot exist takes its place.
 */
export async function runConformance(options: ConformanceOptions): Promise<readonly CheckResult[]> {
  const { extensions = [] } = options;
  const operations = operationsOf(readContract()).filter(
    ({ extension }) => extension === null || extensions.includes(extension),
  );
  const checker = createContractChecker();
  const send = sender(options.baseUrl);
  const checks = [
    ...operations.flatMap((operation) => anonymousChecks(operation, checker, send)),
    ...linkChecks(operations, checker, send),
    ...(options.origin === undefined ? [] : [corsCheck(options.baseUrl, options.origin)]),
    ...(options.account === undefined ? [] : accountChecks(operations, checker, send, options.account)),
  ];
  const results: CheckResult[] = [];
  // One after the other: some checks build on the state that earlier ones left.
  for (const check of checks) results.push(await resultOf(check));
  return results;
}

async function resultOf({ call, rule, run }: Check): Promise<CheckResult> {
  try {
    await run();
    return { call, rule, outcome: 'passed' };
  } catch (error) {
    if (error instanceof Skipped) return { call, rule, outcome: 'skipped', detail: error.message };
    const detail = error instanceof Fault ? error.message : `no answer: ${String(error)}`;
    return { call, rule, outcome: 'failed', detail };
  }
}
