/** @jest-environment node */
import { operationsOf, readContract } from '@vestibule/contract/document';
import { calls, extensionCalls, revoke } from '../journeys/support/faultScenarios/calls';

it.each(operationsOf(readContract()).map(({ id, ...operation }) => [id, operation] as const))(
  '%s has a fault scenario',
  (_id, { method, path, pathExamples }) => {
    const address = path.replace(/\{(\w+)\}/g, (_all, name: string) => pathExamples[name] ?? '');
    const matching = [...Object.values(calls), ...Object.values(extensionCalls), revoke].filter(
      (call) => call.method === method.toUpperCase() && call.path.test(address),
    );
    expect(matching).not.toEqual([]);
  },
);
