import type { Api } from './api';
import { ApiError } from './apiError';
import type { HttpOptions } from './http';
import type { LiveApi } from './liveApi';

/** Loads the chunk with the transport in it. */
export type LoadTransport = () => Promise<{ readonly createLiveApi: (options: HttpOptions) => LiveApi }>;

const loadChunk: LoadTransport = () => import(/* webpackChunkName: "api" */ './liveApi');

/**
 * The calls, behind a door that loads the transport once, at the first call or at `warmUp`. A load that failed counts
 * as a failed call (`network`) and is tried again by the next one.
 */
export function createApi(options: HttpOptions & { readonly loadTransport?: LoadTransport }): Api {
  const { loadTransport = loadChunk, ...transport } = options;
  let loading: Promise<LiveApi> | undefined;

  const load = async (): Promise<LiveApi> => {
    try {
      return (await loadTransport()).createLiveApi(transport);
    } catch {
      loading = undefined;
      throw new ApiError('network', { networkMessage: 'Network Error' });
    }
  };
  const live = () => (loading ??= load());
  const through =
    <Args extends readonly unknown[], Answer>(pick: (api: LiveApi) => (...args: Args) => Promise<Answer>) =>
    async (...args: Args): Promise<Answer> =>
      pick(await live())(...args);

  return {
    warmUp: () => live().then(ignore, ignore),
    auth: {
      methods: through(({ auth }) => auth.methods),
      token: through(({ auth }) => auth.token),
      exchangeMagicLink: through(({ auth }) => auth.exchangeMagicLink),
      refresh: through(({ auth }) => auth.refresh),
      validatePassword: through(({ auth }) => auth.validatePassword),
    },
    users: {
      attributes: through(({ users }) => users.attributes),
      apiInvite: through(({ users }) => users.apiInvite),
    },
    mfa: {
      validateSetup: through(({ mfa }) => mfa.validateSetup),
      addPhone: through(({ mfa }) => mfa.addPhone),
      addAuthenticator: through(({ mfa }) => mfa.addAuthenticator),
      disable: through(({ mfa }) => mfa.disable),
      authyInfo: through(({ mfa }) => mfa.authyInfo),
    },
    password: {
      forgot: through(({ password }) => password.forgot),
      reset: through(({ password }) => password.reset),
      change: through(({ password }) => password.change),
      activate: through(({ password }) => password.activate),
    },
  };
}

function ignore(): void {
  // A failed warm-up costs nothing: the call that needs the transport loads it again and reports.
}
