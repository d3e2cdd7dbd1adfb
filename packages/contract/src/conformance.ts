import { createContractChecker } from './responseValidation.ts';
import { accountChecks } from './conformance/accountChecks.ts';
import { anonymousChecks } from './conformance/anonymousChecks.ts';
import { Fault, Skipped, type Check, type ClientCredentials } from './conformance/checks.ts';
import { corsCheck } from './conformance/corsCheck.ts';
import { extensionChecks } from './conformance/extensions.ts';
import { linkChecks } from './conformance/linkChecks.ts';
import { sender, streamOpener } from './conformance/send.ts';
import { operationsOf, readContract } from './document.ts';

/** The service and the options of a run. */
export interface ConformanceOptions {
  /** Base URL of the service; the contract's paths are appended. */
  readonly baseUrl: string;
  /** A basic account without two-step verification, and with a persona. Without it only anonymous checks run. */
  readonly account?: { readonly username: string; readonly password: string };
  /** A client that has payments confirmed, of any user. Without it payments are not asked for. */
  readonly client?: ClientCredentials;
  /** An origin that the service must allow (CORS). */
  readonly origin?: string;
  /** Extensions of the contract that the service offers: their calls are checked too. None unless given. */
  readonly extensions?: readonly string[];
}

/** The result of one check. */
export interface CheckResult {
  /** The `operationId` of the call. */
  readonly call: string;
  readonly rule: string;
  /** 'skipped': the service responded with 501, or the options do not allow the check. */
  readonly outcome: 'passed' | 'failed' | 'skipped';
  /** The reason, except for 'passed'; contains no credentials. */
  readonly detail?: string;
}

/**
 * Checks any service against `openapi.yaml`: the shapes of responses and errors, the rejection of invalid requests
 * and unknown links. With an account also sign-in, rotation, the user call and the refusals of a password change. It
 * sends no messages: users of the examples are replaced by addresses that cannot exist.
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
    ...extensionChecks
      .filter(({ name }) => extensions.includes(name))
      .flatMap(({ anonymous }) => anonymous?.(operations, checker, send) ?? []),
    ...(options.origin === undefined ? [] : [corsCheck(options.baseUrl, options.origin)]),
    ...(options.account === undefined
      ? []
      : accountChecks(operations, {
          ...{ account: options.account, checker, send, openStream: streamOpener(options.baseUrl) },
          ...(options.client === undefined ? {} : { client: options.client }),
        })),
  ];
  const results: CheckResult[] = [];
  // Sequentially, because some checks depend on earlier ones.
  for (const check of checks) results.push(await resultOf(check));
  return results;
}

async function resultOf({ call, rule, run }: Check): Promise<CheckResult> {
  try {
    await run();
    return { call, rule, outcome: 'passed' };
  } catch (error) {
    if (error instanceof Skipped) return { call, rule, outcome: 'skipped', detail: error.message };
    const detail = error instanceof Fault ? error.message : `no response: ${String(error)}`;
    return { call, rule, outcome: 'failed', detail };
  }
}
