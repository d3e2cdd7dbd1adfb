/** @jest-environment node */
import { withChannel } from '@shared/sagas/withChannel.saga';
import { runSaga } from 'redux-saga';
import { take } from 'typed-redux-saga';

/** An event source that counts who listens. */
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

describe('an event source used as a channel', () => {
  it('is listened to while the work lasts, and answers with what the work answers', async () => {
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

  it('is let go when the work fails', async () => {
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

  it('is let go when the work is cancelled', () => {
    const events = source();
    const task = runSaga({}, () =>
      withChannel(events.subscribe, function* (channel) {
        yield* take(channel);
      }),
    );
    task.cancel();
    expect(events.listening()).toBe(0);
  });

  it('loses no event that comes while an earlier one is dealt with', async () => {
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
