import type { Deps } from '@shared/deps';
import { locationChanged } from '@shared/routing/location.slice';
import type { Subscribe } from '@shared/sagas/withChannel.saga';
import { pollEveryMs } from '@vestibule/client/refreshLimits';
import type { EventChannel } from 'redux-saga';
import { delay, race, take } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';

/**
 * `poll`: the next poll is due now. `left`: the page enters the back/forward cache. `restored`: the page comes back from it.
 */
export type WakeUp = 'poll' | 'left' | 'restored';

/**
 * Waits until the next poll is due: a tick, a wake-up, or a change of address, so that a new screen does not show an ended
 * session until the next tick (docs/behaviour.md#refresh-polling).
 */
export function* nextPoll(events: EventChannel<WakeUp>, waitMs = pollEveryMs): SagaGenerator<WakeUp> {
  const { event } = yield* race({ tick: delay(waitMs), moved: take(locationChanged), event: take(events) });
  return event ?? 'poll';
}

/**
 * The wake-ups of this tab: it is shown, goes online, or another tab reports a change. Messages are hints and are never read;
 * the cookies are the truth. The channel is closed while the page is in the back/forward cache, because some browsers do not
 * cache pages with an open channel.
 */
export function wakeUps(deps: Deps): Subscribe<WakeUp> {
  return (listener) => {
    const listen = () => {
      const opened = openChannel(deps);
      opened.subscribe(() => listener('poll'));
      return opened;
    };
    let channel = listen();
    const stop = deps.pageLife.subscribe((event) => {
      if (event === 'left') channel.close();
      if (event === 'restored') channel = listen();
      if (event === 'left' || event === 'restored') listener(event);
      if (event === 'shown' || event === 'online') listener('poll');
    });
    return () => {
      stop();
      channel.close();
    };
  };
}

/** Makes all other tabs poll now. */
export function wakeOthers(deps: Deps): void {
  const channel = openChannel(deps);
  channel.post({});
  channel.close();
}

const openChannel = ({ broadcast, config }: Deps) => broadcast.open(`${config.cookies.prefix}-session`);
