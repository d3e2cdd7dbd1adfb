import type { Deps } from '../deps';
import { decodeRouteState } from '../routing/routeState';
import { call } from './call.saga';
import { withChannel } from './withChannel.saga';
import { take } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';

/**
 * Whether the user must press a button before a one-time link is used: with `oneTimeLinks: "click"`, once for a magic link
 * and the link to which it leads. Mail scanners and link previews open pages too, so a hidden or prerendered page waits. See
 * docs/behaviour.md#one-time-links.
 */
export function* needsPress({ config, navigation, pageLife }: Deps): SagaGenerator<boolean> {
  if (!pageLife.isVisible()) yield* call(untilVisible, pageLife);
  return config.oneTimeLinks !== 'auto' && !decodeRouteState(navigation.current().state).linkOpened;
}

function* untilVisible(pageLife: Deps['pageLife']): SagaGenerator<void> {
  yield* withChannel(pageLife.subscribe, function* (events) {
    while (!pageLife.isVisible()) yield* take(events);
  });
}
