import { callsOf, features } from '@app/features';
import { createApi, type LoadTransport } from '@shared/api/api';
import { ApiError } from '@shared/api/apiError';
import type { Http } from '@shared/api/http';
import type { MakeCalls, SharedDecoders } from '@shared/api/liveApi';
import { createFakeApi, type FakeApi } from '../../support/fakeApi';
import { createAllCalls } from '../../support/allCalls';
import { methods } from '../../support/builders';

const options = {
  serviceUrl: 'http://api.example',
  clock: { now: () => 0, monotonic: () => 0, pause: () => Promise.resolve() },
};

let reachable = true;
beforeEach(() => {
  reachable = true;
});

const lost = Object.assign(new Error('gone'), { name: 'ChunkLoadError' });

function loading(...failures: readonly Error[]) {
  const live = createFakeApi();
  const makeLive = jest.fn(() => ({
    ...live,
    made: (make: MakeCalls) => make({} as Http, {} as SharedDecoders),
  }));
  const loadTransport = jest.fn<ReturnType<LoadTransport>, []>(() =>
    Promise.resolve({ createLiveApi: makeLive }),
  );
  for (const failure of failures) loadTransport.mockRejectedValueOnce(failure);
  const groups = Object.keys(callsOf(features)) as (keyof FakeApi)[];
  const calls = Object.fromEntries(
    groups.map((group) => [group, () => Promise.resolve({ calls: () => live[group] })]),
  );
  const isHostReachable = () => Promise.resolve(reachable);
  const api = createApi({ ...options, calls, isHostReachable, loadTransport });
  return { api, live, loadTransport, makeLive };
}

it('loads once for concurrent calls', async () => {
  const { api, live, loadTransport, makeLive } = loading();
  live.auth.methods.mockResolvedValue([methods.basic]);
  await Promise.all([api.warmUp(), api.auth.methods('a'), api.auth.methods('b')]);
  expect(loadTransport).toHaveBeenCalledTimes(1);
  expect(makeLive.mock.calls).toEqual([[options]]);
  expect(live.auth.methods.mock.calls).toEqual([['a'], ['b']]);
});

it('makes no call while warming up', async () => {
  const { api, live, loadTransport } = loading();
  await api.warmUp();
  expect(loadTransport).toHaveBeenCalledTimes(1);
  expect(live.auth.methods).not.toHaveBeenCalled();
});

it('loads the calls of features while warming up, so that a call that is made as the page is left waits for nothing', async () => {
  const load = jest.fn(() => Promise.resolve({ calls: () => ({}) }));
  const api = createApi({
    ...options,
    calls: { late: load },
    isHostReachable: () => Promise.resolve(true),
  });
  await api.warmUp();
  expect(load).toHaveBeenCalledTimes(1);
});

it('requests a chunk of calls that breaks once more, so that the press that waits for it is carried out', async () => {
  const { live, loadTransport } = loading();
  const know = jest.fn().mockResolvedValue('known');
  const load = jest.fn().mockResolvedValue({ calls: () => ({ know }) });
  load.mockRejectedValueOnce(lost);
  const createLiveApi = () => ({
    ...live,
    made: (make: MakeCalls) => make({} as Http, {} as SharedDecoders),
  });
  loadTransport.mockResolvedValue({ createLiveApi });
  const isHostReachable = () => Promise.resolve(true);
  const api = createApi({ ...options, calls: { late: load }, isHostReachable, loadTransport });
  const { late } = api as unknown as Record<'late', { readonly know: () => Promise<string> }>;
  await expect(late.know()).resolves.toBe('known');
  expect(load).toHaveBeenCalledTimes(2);
});

it('reports a chunk that does not load as a network error, and loads it again at the next call', async () => {
  const { api, live, loadTransport } = loading(new Error('ChunkLoadError'), new Error('ChunkLoadError'));
  live.auth.methods.mockResolvedValue([methods.basic]);
  await expect(api.warmUp()).resolves.toBeUndefined();
  const failed = api.auth.methods('a');
  await expect(failed).rejects.toBeInstanceOf(ApiError);
  await expect(failed).rejects.toMatchObject({ kind: 'network' });
  await expect(api.auth.methods('a')).resolves.toEqual([methods.basic]);
  expect(loadTransport).toHaveBeenCalledTimes(3);
});

it.each([
  ['that the host no longer has is the cause of the error', lost, true, lost],
  ['that could not be fetched, as nothing of the host, is not the cause', lost, false, undefined],
  ['with a bug in it is not the cause', new TypeError('a bug'), true, undefined],
])('a chunk %s', async (_name, failure, isReachable, cause) => {
  reachable = isReachable;
  const { api } = loading(failure);
  const error: unknown = await api.auth.methods('a').catch((reason: unknown) => reason);
  expect(error).toMatchObject({ name: 'ApiError', kind: 'network' });
  expect((error as ApiError).cause).toBe(cause);
});

it('passes every call on, with its arguments and its outcome', async () => {
  const { api, live } = loading();
  const listed = await createAllCalls(options);
  for (const group of Object.keys(listed) as (keyof typeof listed)[]) {
    const names = Object.keys(listed[group]);
    expect(names).not.toEqual([]);
    for (const name of names) {
      const mock: unknown = Reflect.get(live[group], name);
      const through: unknown = Reflect.get(api[group], name);
      if (!jest.isMockFunction(mock) || typeof through !== 'function')
        throw new Error(`no api.${group}.${name}`);
      mock.mockResolvedValue(`answer of ${name}`);
      await expect(Reflect.apply(through, undefined, ['one', name])).resolves.toBe(`answer of ${name}`);
      expect(mock.mock.calls).toEqual([['one', name]]);
    }
  }
});

it('has every group of calls', async () => {
  const { warmUp: _warmUp, ...groups } = createApi({
    ...options,
    calls: callsOf(features),
    isHostReachable: () => Promise.resolve(true),
  });
  expect(Object.keys(groups).sort()).toEqual(Object.keys(await createAllCalls(options)).sort());
});

it('behaves like any other object for other properties', async () => {
  const { api, loadTransport } = loading();
  await expect(Promise.resolve(api.auth)).resolves.toBe(api.auth);
  expect(Reflect.get(api.auth, 'then')).toBeUndefined();
  expect(Reflect.get(api.auth, Symbol.iterator)).toBeUndefined();
  expect(Reflect.get(api.auth, 'toString')).toBe(Object.prototype.toString);
  expect(Reflect.get(api.auth, '__proto__')).toBe(Object.prototype);
  expect(loadTransport).not.toHaveBeenCalled();
});

it('names an unknown call in the error', async () => {
  const api = createApi({ ...options, isHostReachable: () => Promise.resolve(true) });
  const missing: unknown = Reflect.get(api.auth, 'constructors');
  if (typeof missing !== 'function') throw new Error('not a function');
  await expect(Reflect.apply(missing, undefined, [])).rejects.toThrow('There is no call auth.constructors');
});

it('uses the real transport', async () => {
  const api = createApi({ ...options, isHostReachable: () => Promise.resolve(true) });
  await api.warmUp();
  // Rejected by the transport itself, before any request: the chunk is the real one.
  await expect(api.auth.methods('..')).rejects.toMatchObject({ name: 'ApiError', kind: 'unexpected' });
});
