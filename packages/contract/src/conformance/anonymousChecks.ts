import { randomUUID } from 'node:crypto';
import type { ContractChecker } from '../responseValidation.ts';
import type { Operation } from '../document.ts';
import { expectError, expectShape, type Check, type ReceivedResponse, type Send } from './checks.ts';

/** Checks of one call that need no account. */
export function anonymousChecks(
  operation: Operation,
  checker: ContractChecker,
  send: Send,
): readonly Check[] {
  const call = operation.id;
  const params = strangersIn(operation.pathExamples);
  const checks: Check[] = [];
  if (operation.needsBearer) {
    checks.push({
      call,
      rule: 'without a bearer it is refused with 401',
      run: async () => {
        const body = firstExample(operation);
        expectError(checker, operation, await send(operation, { params, body }), 401, 401);
      },
    });
  } else {
    checks.push({
      call,
      rule: 'what it answers for an unknown username has a shape of the contract',
      ...(call === 'getLoginMethods' ? {} : { leavesTrace: true }),
      run: async () => {
        const body = strangersIn(firstExample(operation));
        expectShape(checker, operation, await send(operation, { params, body }));
      },
    });
  }
  if (operation.requestSchema !== null) {
    checks.push(
      refusal(operation, checker, 'a list instead of an object', () => send(operation, { params, body: [] })),
      refusal(operation, checker, 'a body that is not JSON', () =>
        send(operation, { params, rawBody: '{"a' }),
      ),
    );
  }
  return checks;
}

function refusal(
  operation: Operation,
  checker: ContractChecker,
  what: string,
  call: () => Promise<ReceivedResponse>,
): Check {
  return {
    call: operation.id,
    rule: `${what} is refused with a 4xx error`,
    run: async () => {
      expectError(checker, operation, await call(), 400, 499);
    },
  };
}

function firstExample(operation: Operation): unknown {
  return operation.requestExamples === null ? undefined : Object.values(operation.requestExamples)[0];
}

/** Replaces the users of the examples by addresses that cannot exist (RFC 2606). */
function strangersIn<Value>(value: Value): Value;
function strangersIn(value: unknown): unknown {
  if (value === undefined) return undefined;
  const stranger = `conformance-${randomUUID()}@example.invalid`;
  const replaced: unknown = JSON.parse(JSON.stringify(value).replaceAll('ada@example.com', stranger));
  return replaced;
}
