/** @jest-environment node */
/** Tests call.saga, callApi.saga, waitUntil.saga and withChannel.saga. */
import { ApiError } from '@shared/api/apiError';
import { callApi, bearerRefused } from '@shared/sagas/callApi.saga';
import { runSaga } from 'redux-saga';
import { expectSaga } from 'redux-saga-test-plan';
import { waitUntil } from '@shared/sagas/waitUntil.saga';
import { createFakeClock } from '../../support/fakePorts';
import { pass } from '../../support/openApp';
import { withChannel } from '@shared/sagas/withChannel.saga';
import { take } from 'typed-redux-saga';

describe('callApi', () => {
  const expectAttempt = (
    makeCall: (...args: readonly string[]) => Promise<string>,
    ...args: readonly string[]
  ) =>
    expectSaga(function* () {
      try {
        return yield* callApi(makeCall, ...args);
      } catch (thrown) {
        return { thrown };
      }
    });

  it('returns the typed error of a synchronous exception too', async () => {
    const error = new ApiError('unexpected');
    const call = () => {
      throw error;
    };
    await expectAttempt(call).returns({ ok: false, error }).run(false);
  });

  it('reports that its bearer was refused', async () => {
    const error = new ApiError('server', { status: 401, serverCode: 'unauthorized' });
    await expectAttempt(() => Promise.reject(error))
      .put(bearerRefused())
      .returns({ ok: false, error })
      .run(false);
  });

  it('passes on the error of a chunk that the host no longer has', async () => {
    const lost = Object.assign(new Error('gone'), { name: 'ChunkLoadError' });
    await expectAttempt(() => Promise.reject(new ApiError('network', {}, { cause: lost })))
      .returns({ thrown: lost })
      .run(false);
  });
});

describe('waitUntil', () => {
  const now = 1_800_000_000_000;
  beforeEach(() => jest.useFakeTimers({ now }));

  const wait = (deadline: number) => {
    const clock = createFakeClock();
    const task = runSaga({}, waitUntil, clock, deadline);
    return { clock, task, isOver: () => !task.isRunning() };
  };

  it('ends at the deadline, to the millisecond', async () => {
    const { isOver } = wait(now + 150_500);
    await pass(150_499);
    expect(isOver()).toBe(false);
    await pass(1);
    expect(isOver()).toBe(true);
  });

  it.each([0, -1, -86_400_000])('ends at once when it is %d ms from now', (fromNow) => {
    expect(wait(now + fromNow).isOver()).toBe(true);
  });

  it('ends within a second of waking from a sleep past the deadline', async () => {
    const { clock, isOver } = wait(now + 180_000);
    await pass(10_000);
    clock.advance(3_600_000);
    await pass(1000);
    expect(isOver()).toBe(true);
  });

  it('is not extended by a clock that is set back', async () => {
    const { clock, isOver } = wait(now + 180_000);
    await pass(10_000);
    clock.set(now - 86_400_000);
    await pass(169_000);
    expect(isOver()).toBe(false);
    await pass(1000);
    expect(isOver()).toBe(true);
  });

  it('leaves no timer when it is cancelled', async () => {
    const { task } = wait(now + 180_000);
    await pass(2500);
    task.cancel();
    await pass(0);
    expect(jest.getTimerCount()).toBe(0);
  });
});

describe('withChannel', () => {
  /** An event source that counts its listeners. */
  const source = () => {
    const listeners = new Set<(event: string) => void>();
    return {
      subscribe: (listener: (event: string) => void) => {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
      emit: (event: string) => {
        for (const listener of [...listeners]) listener(event);
      },
      listening: () => listeners.size,
    };
  };

  it('has a listener while the work lasts, and returns the work’s result', async () => {
    const events = source();
    const task = runSaga({}, () =>
      withChannel(events.subscribe, function* (channel) {
        return `got ${yield* take(channel)}`;
      }),
    );
    expect(events.listening()).toBe(1);
    events.emit('one');
    expect(await task.toPromise()).toBe('got one');
    expect(events.listening()).toBe(0);
  });

  it('is closed when the work fails', async () => {
    const events = source();
    const task = runSaga({ onError: () => undefined }, () =>
      withChannel(events.subscribe, function* (channel) {
        throw new Error(yield* take(channel));
      }),
    );
    const outcome = task.toPromise();
    events.emit('bang');
    await expect(outcome).rejects.toThrow('bang');
    expect(events.listening()).toBe(0);
  });

  it('is closed when the work is cancelled', () => {
    const events = source();
    const task = runSaga({}, () =>
      withChannel(events.subscribe, function* (channel) {
        yield* take(channel);
      }),
    );
    task.cancel();
    expect(events.listening()).toBe(0);
  });

  it('loses no event that arrives while an earlier one is handled', async () => {
    const events = source();
    const seen: string[] = [];
    const task = runSaga({}, () =>
      withChannel(events.subscribe, function* (channel) {
        while (seen.length < 3) {
          seen.push(yield* take(channel));
          if (seen.length === 1) ['two', 'three'].forEach(events.emit);
        }
      }),
    );
    events.emit('one');
    await task.toPromise();
    expect(seen).toEqual(['one', 'two', 'three']);
  });
});
