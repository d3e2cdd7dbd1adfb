import { callsOf, features } from '@app/features';
import { callRows, nameOf, responseOf } from './callRows';
import type { FakeApi } from './fakeApi';

/** The calls of the features, and what the page gets. */
export function featureCalls(
  api: FakeApi,
): readonly { readonly call: jest.Mock; readonly response: unknown }[] {
  const groups = Object.keys(callsOf(features));
  return Object.values(callRows).flatMap((row) => {
    const [group, name] = nameOf(row);
    return groups.includes(group)
      ? [{ call: api[group as 'auth'][name as 'token'] as jest.Mock, response: responseOf(row) }]
      : [];
  });
}

/** Every call of a feature succeeds. */
export function answerFeatures(api: FakeApi): void {
  for (const { call, response } of featureCalls(api)) call.mockResolvedValue(response);
}
