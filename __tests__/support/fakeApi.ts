import { byName, type Api } from '@shared/api/api';

type Mocked<Group> = {
  readonly [Call in keyof Group]: Group[Call] extends (...args: infer Args) => infer Answer
    ? jest.Mock<Answer, Args>
    : never;
};

/** An `Api` of jest mocks: arrange with `mockResolvedValue`, inspect `mock.calls`. */
export type FakeApi = { readonly [Group in Exclude<keyof Api, 'warmUp'>]: Mocked<Api[Group]> } & {
  readonly warmUp: jest.Mock<Promise<void>, []>;
};

/** Every call throws until the test arranges an answer. Only `warmUp` is arranged: it has no response. */
export function createFakeApi(): FakeApi {
  // Not an `ApiError`: the sagas handle those, and the test would pass for the wrong reason.
  const unarranged = (call: string) =>
    Promise.reject<unknown>(new Error(`The test did not arrange an answer of api.${call}`));
  const calls = byName((group) => byName((call) => jest.fn(() => unarranged(`${group}.${call}`))));
  return Object.assign(calls, { warmUp: jest.fn(() => Promise.resolve()) }) as unknown as FakeApi;
}
