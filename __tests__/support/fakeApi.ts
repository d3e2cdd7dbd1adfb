import { callsOf, features } from '@app/features';
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
export const createFakeApi = (): FakeApi => {
  const groups = [
    'auth',
    'users',
    'mfa',
    'password',
    'devices',
    'passkeys',
    ...Object.keys(callsOf(features)),
  ];
  return {
    warmUp: jest.fn(() => Promise.resolve()),
    ...(Object.fromEntries(groups.map((group) => [group, unarranged(group)])) as object),
  } as FakeApi;
};

/** Not an `ApiError`: the sagas handle those, and the test would pass for the wrong reason. */
const unarranged = (group: string) =>
  byName((call) =>
    jest.fn(() =>
      Promise.reject<unknown>(new Error(`The test did not arrange an answer of api.${group}.${call}`)),
    ),
  );
