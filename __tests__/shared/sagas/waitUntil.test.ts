/** @jest-environment node */
import { waitUntil } from '@shared/sagas/waitUntil.saga';
import { runSaga } from 'redux-saga';
import { createFakeClock } from '../../support/fakePorts';
import { pass } from '../../support/openApp';

const now = 1_800_000_000_000;
beforeEach(() => jest.useFakeTimers({ now }));
afterEach(() => jest.useRealTimers());

const wait = (deadline: number) => {
  const clock = createFakeClock();
  const task = runSaga({}, waitUntil, clock, deadline);
  return { clock, task, isOver: () => !task.isRunning() };
};

describe('waiting for a deadline', () => {
  it('ends at it, to the millisecond', async () => {
    const { isOver } = wait(now + 150_500);
    await pass(150_499);
    expect(isOver()).toBe(false);
    await pass(1);
    expect(isOver()).toBe(true);
  });

  it.each([0, -1, -86_400_000])('is over at once when it is %d ms from now', (fromNow) => {
    expect(wait(now + fromNow).isOver()).toBe(true);
  });

  it('ends within a second of waking from a sleep that went over it', async () => {
    const { clock, isOver } = wait(now + 180_000);
    await pass(10_000);
    clock.advance(3_600_000);
    await pass(1000);
    expect(isOver()).toBe(true);
  });

  it('is not put off by a clock that is set back', async () => {
    const { clock, isOver } = wait(now + 180_000);
    await pass(10_000);
    clock.set(now - 86_400_000);
    await pass(169_000);
    expect(isOver()).toBe(false);
    await pass(1000);
    expect(isOver()).toBe(true);
  });

  it('leaves no timer behind when it is cancelled', async () => {
    const { task } = wait(now + 180_000);
    await pass(2500);
    task.cancel();
    await pass(0);
    expect(jest.getTimerCount()).toBe(0);
  });
});
