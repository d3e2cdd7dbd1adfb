import { askByRefresh, setTokenClock, writeMagicLinkSession } from '@features/session';
import type { Deps, Visit } from '@shared/deps';
import { linkIdIn } from '@shared/routing/linkId';
import { paths } from '@vestibule/contract/paths';
import { callApi } from '@shared/sagas/callApi.saga';
import { call } from '@shared/sagas/call.saga';
import { put } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { afterSignIn } from '../token-response/leaveSignedIn.saga';
import { confirmOneTimeLink } from './confirmOneTimeLink.saga';
import { linkEntered } from './oneTimeLink.slice';
import { magicLinkTarget } from './magicLinkTarget';

/** `/redirect/{magiclinkId}`: exchanges the link, once, and follows it. See docs/behaviour.md#magic-links. */
export function* magicLink(deps: Deps, { params }: Visit): SagaGenerator<void> {
  yield* put(linkEntered());
  const id = linkIdIn(params['magiclinkId']);
  const left = id !== null && (yield* call(follow, deps, id));
  if (!left) yield* call(deps.navigation.replace, paths.unauthorized());
}

/** @returns whether the link has a target */
function* follow(deps: Deps, id: string): SagaGenerator<boolean> {
  // The name of the cookie needs the hash. Without it the link is not used.
  const hash = yield* call(deps.sha256Hex, id);
  if (hash === null) return false;
  yield* call(confirmOneTimeLink, deps);
  // The session is checked before the page leaves: otherwise the response of a refresh, and so the session, could be lost.
  yield* call(askByRefresh, deps);
  const result = yield* callApi(deps.api.auth.exchangeMagicLink, id);
  if (!result.ok) return false;
  const target = magicLinkTarget(result.value, hash, deps);
  switch (target.kind) {
    case 'signOn':
      yield* call(deps.navigation.replace, paths[target.route](id), { linkOpened: true });
      return true;
    case 'application':
      yield* call(setTokenClock, deps, target.claims);
      if (!writeMagicLinkSession(deps, hash, target.tokens)) {
        yield* call(deps.log.warn, 'magic-link cookie refused by the browser');
        return false;
      }
      yield* call(afterSignIn, deps, { token: target.tokens.token });
      yield* call(deps.navigation.leave, target.target);
      return true;
    case 'failed':
      return false;
  }
}
