import type { Api } from './api';
import { ApiError, isChunkLoadError } from './apiError';
import type { LiveApi, LiveApiOptions } from './liveApi';

/** Loads the chunk with the transport in it. */
export type LoadTransport = () => Promise<{ readonly createLiveApi: (options: LiveApiOptions) => LiveApi }>;

const loadChunk: LoadTransport = () => import(/* webpackChunkName: "api" */ './liveApi');

/** What the door needs, beside what is behind it. */
interface ApiOptions extends LiveApiOptions {
  readonly isOnline: () => boolean;
  readonly loadTransport?: LoadTransport;
}

/**
 * The calls, behind a door that loads the transport once, at the first call or at `warmUp`. A load that failed counts
 * as a failed call (`network`) and is tried again by the next one. A chunk that a browser online could not fetch is its
 * `cause`: a reload of the page may mend that (`attempt`).
 */
export function createApi(options: ApiOptions): Api {
  const { loadTransport = loadChunk, isOnline, ...transport } = options;
  let loading: Promise<LiveApi> | undefined;

  const load = async (): Promise<LiveApi> => {
    try {
      return (await loadTransport()).createLiveApi(transport);
    } catch (error) {
      loading = undefined;
      const cause = isOnline() && isChunkLoadError(error) ? error : undefined;
      throw new ApiError('network', {}, { cause });
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
      revoke: through(({ auth }) => auth.revoke),
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
