import { createChunk } from '../chunk';
import { ApiError, isChunkLoadError } from './apiError';
import type { LiveApi, LiveApiOptions, MakeCalls, Transport } from './liveApi';

/**
 * The calls of the contract, as `liveApi.ts` lists them, and those of the features, which add their groups to this type
 * (docs/behaviour.md#service-contract). Each rejects with an `ApiError` and with nothing else; a response of the wrong shape is a
 * failed call.
 */
export interface Api extends LiveApi {
  /** Loads the transport and the calls of features, in separate chunks, ahead of the first call. Never rejects. */
  readonly warmUp: () => Promise<void>;
}

/**
 * The calls of a feature, by their group in `Api`. Those in a chunk are all in the chunk `extensions`, so that a call after a sign-in, which
 * may leave the page at once, waits for none.
 */
export type FeatureCalls = Readonly<Record<string, () => Promise<{ readonly calls: MakeCalls }>>>;

/** Loads the chunk with the transport in it. */
export type LoadTransport = () => Promise<{ readonly createLiveApi: (options: LiveApiOptions) => Transport }>;

const transportChunk = createChunk(() => import(/* webpackChunkName: "api" */ './liveApi'));

/** What loading the transport needs in addition to what the transport itself needs. */
interface ApiOptions extends LiveApiOptions {
  readonly isHostReachable: () => Promise<boolean>;
  /** The calls of every feature. */
  readonly calls?: FeatureCalls;
  readonly loadTransport?: LoadTransport;
}

/**
 * The calls, with a transport that is loaded once, at the first call or at `warmUp`. A load that failed counts as a failed
 * call (`network`) and is tried again by the next one. A chunk that could not be fetched from a host that responds is its `cause`:
 * a reload of the page may help.
 */
export function createApi(options: ApiOptions): Api {
  const { loadTransport = transportChunk.load, isHostReachable, calls = {}, ...transport } = options;
  const once = <Loaded>(load: () => Promise<Loaded>): (() => Promise<Loaded>) => {
    let loading: Promise<Loaded> | undefined;
    const tryLoad = async (): Promise<Loaded> => {
      try {
        return await load();
      } catch (error) {
        loading = undefined;
        if (error instanceof ApiError) throw error;
        const cause = isChunkLoadError(error) && (await isHostReachable()) ? error : undefined;
        throw new ApiError('network', {}, { cause });
      }
    };
    return () => (loading ??= tryLoad());
  };
  const live = once(async () => (await loadTransport()).createLiveApi(transport));
  // The types of the calls come from files that are loaded later.
  const group = (name: string, load: () => Promise<object>) =>
    byName((call) => async (...args: readonly unknown[]) => {
      const made: unknown = Reflect.get(await load(), call);
      if (typeof made !== 'function') throw new TypeError(`There is no call ${name}.${call}`);
      return Reflect.apply(made, undefined, args) as unknown;
    });
  const of = (name: keyof Transport & keyof LiveApi) => group(name, async () => (await live())[name]);
  const chunks = Object.entries(calls).map(([name, fetch]) => [name, createChunk(fetch)] as const);
  const added = chunks.map(([name, { load }]) => [
    name,
    group(
      name,
      once(async () => {
        const [transport, module] = await Promise.all([live(), load()]);
        return transport.made(module.calls);
      }),
    ),
  ]);

  return {
    warmUp: () => Promise.all([live(), ...chunks.map(([, { load }]) => load())]).then(ignore, ignore),
    auth: of('auth'),
    users: of('users'),
    mfa: of('mfa'),
    password: of('password'),
    ...(Object.fromEntries(added) as object),
  } as Api;
}

/**
 * Makes an object whose members are made from their names, each at its first use. Symbols, `then` and inherited names are not
 * made, so that the object can be awaited and inspected.
 */
export function byName<Member>(make: (name: string) => Member): Readonly<Record<string, Member>> {
  return new Proxy<Record<string, Member>>(
    {},
    {
      get(made, name) {
        const isMissing = typeof name === 'string' && name !== 'then' && !(name in made);
        if (isMissing) made[name] = make(name);
        return Reflect.get(made, name) as unknown;
      },
    },
  );
}

function ignore(): void {
  // A failure is ignored here, because the first call loads the transport again and reports.
}
