import type { Deps } from '@shared/deps';
import { decodeRouteState } from '@shared/routing/screenModule';
import { call } from '@shared/sagas/call.saga';
import { withChannel } from '@shared/sagas/withChannel.saga';
import { put, take } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { linkGateShown, linkOpened } from './oneTimeLink.slice';

/**
 * Returns when a one-time link may be used. Mail scanners and link previews open pages too, so a hidden or prerendered
 * page waits. With `oneTimeLinks: "click"` a button comes first, once for a magic link and the link that it leads to. See
 * docs/behaviour.md#one-time-links.
 */
export function* confirmOneTimeLink({ config, navigation, pageLife }: Deps): SagaGenerator<void> {
  if (!pageLife.isVisible()) yield* call(untilVisible, pageLife);
  if (config.oneTimeLinks === 'auto' || decodeRouteState(navigation.current().state).linkOpened) return;
  yield* put(linkGateShown());
  yield* take(linkOpened);
}

function* untilVisible(pageLife: Deps['pageLife']): SagaGenerator<void> {
  yield* withChannel(pageLife.subscribe, function* (events) {
    while (!pageLife.isVisible()) yield* take(events);
  });
}
