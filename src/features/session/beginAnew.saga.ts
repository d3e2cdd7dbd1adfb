import type { Deps } from '@shared/deps';
import { locationChanged } from '@shared/routing/location.slice';
import { matchPattern } from '@shared/routing/matchRoute';
import { secretPatterns } from '@shared/routing/paths';
import { call } from '@shared/sagas/call';
import { take } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';

/**
 * Another person signed in elsewhere: a page loaded anew holds nothing of the first one (decisions §8). Not while a
 * one-time link is open: it shows nothing of either, and loading it anew would lose what can be had once only.
 */
export function* beginAnew({ vault, navigation }: Pick<Deps, 'navigation' | 'vault'>): SagaGenerator<void> {
  yield* call(vault.dropOfSession);
  while (isAtLink(navigation.current().pathname)) yield* take(locationChanged);
  yield* call(navigation.reload);
}

const isAtLink = (pathname: string): boolean =>
  secretPatterns.some((pattern) => matchPattern(pattern, pathname) !== null);
