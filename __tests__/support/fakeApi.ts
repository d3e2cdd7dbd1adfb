import type { Api } from '@shared/api/api';

type Mocked<Group> = {
  readonly [Call in keyof Group]: Group[Call] extends (...args: infer Args) => infer Answer
    ? jest.Mock<Answer, Args>
    : never;
};

/** An `Api` of jest mocks: arrange with `mockResolvedValue`, look at `mock.calls`. */
export interface FakeApi extends Api {
  readonly warmUp: jest.Mock<Promise<void>, []>;
  readonly auth: Mocked<Api['auth']>;
  readonly users: Mocked<Api['users']>;
  readonly mfa: Mocked<Api['mfa']>;
  readonly password: Mocked<Api['password']>;
}

/** Every call fails loudly until the test arranges an answer. `warmUp` alone is arranged: it has no answer. */
export function createFakeApi(): FakeApi {
  return {
    warmUp: jest.fn(() => Promise.resolve()),
    auth: {
      methods: unarranged('auth.methods'),
      token: unarranged('auth.token'),
      exchangeMagicLink: unarranged('auth.exchangeMagicLink'),
      refresh: unarranged('auth.refresh'),
      revoke: unarranged('auth.revoke'),
      validatePassword: unarranged('auth.validatePassword'),
    },
    users: { attributes: unarranged('users.attributes'), apiInvite: unarranged('users.apiInvite') },
    mfa: {
      validateSetup: unarranged('mfa.validateSetup'),
      addPhone: unarranged('mfa.addPhone'),
      addAuthenticator: unarranged('mfa.addAuthenticator'),
      disable: unarranged('mfa.disable'),
      authyInfo: unarranged('mfa.authyInfo'),
    },
    password: {
      forgot: unarranged('password.forgot'),
      reset: unarranged('password.reset'),
      change: unarranged('password.change'),
      activate: unarranged('password.activate'),
    },
  };
}

/** Not an `ApiError`: the sagas answer those, and the test would pass for the wrong reason. */
function unarranged<Args extends unknown[], Answer>(name: string): jest.Mock<Promise<Answer>, Args> {
  return jest.fn((..._args: Args) =>
    Promise.reject<Answer>(new Error(`The test did not arrange an answer of api.${name}`)),
  );
}
