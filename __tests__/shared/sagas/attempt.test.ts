/** @jest-environment node */
import { ApiError } from '@shared/api/apiError';
import { attempt } from '@shared/sagas/attempt.saga';
import { runSaga } from 'redux-saga';

const run = (makeCall: (...args: readonly string[]) => Promise<string>, ...args: readonly string[]) =>
  runSaga({ onError: () => undefined }, () => attempt(makeCall, ...args)).toPromise();

describe('a call that is attempted', () => {
  it('answers with its value', async () => {
    expect(await run((...words) => Promise.resolve(words.join(' ')), 'a', 'b')).toEqual({
      ok: true,
      value: 'a b',
    });
  });

  it('answers with its typed error', async () => {
    const error = new ApiError('timeout');
    expect(await run(() => Promise.reject(error))).toEqual({ ok: false, error });
  });

  it('that throws before it begins answers with its typed error too', async () => {
    const error = new ApiError('unexpected');
    const call = () => {
      throw error;
    };
    expect(await run(call)).toEqual({ ok: false, error });
  });

  it('passes on what says that the host no longer has a part of the application', async () => {
    const lost = Object.assign(new Error('gone'), { name: 'ChunkLoadError' });
    const failed = run(() => Promise.reject(new ApiError('network', {}, { cause: lost })));
    await expect(failed).rejects.toBe(lost);
  });

  it('passes a fault of ours on', async () => {
    await expect(run(() => Promise.reject(new TypeError('a bug')))).rejects.toThrow('a bug');
  });
});
