import type { Deps } from '@shared/deps';
import { decodeRouteState } from '@shared/routing/room';
import { call } from '@shared/sagas/call.saga';
import { withChannel } from '@shared/sagas/withChannel.saga';
import { put, take } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { linkGateShown, linkOpened } from './oneTimeLink.slice';

type GateDeps = Pick<Deps, 'config' | 'navigation' | 'pageLife'>;

/**
 * Returns when a one-time link may be used up: mail scanners and link previews open pages that nobody looks at, and a
 * hidden or prerendered page must not burn the link (decisions §9). Where the configuration asks for it, a person has to
 * press a button first, and once for a magic link and the link that it leads to.
 */
export function* passOneTimeGate({ config, navigation, pageLife }: GateDeps): SagaGenerator<void> {
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
