import { asLocalTime } from '@features/session';
import type { Deps } from '@shared/deps';
import { locationChanged } from '@shared/routing/location.slice';
import { call } from '@shared/sagas/call.saga';
import { msOf } from '@shared/ui/date';
import { race, take } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import type { WaitingElement } from './elements.slice';
import { untilDue } from './methodsOf.saga';

/** @returns whether the time of an element has come; `false`: the settings were left before */
export function* untilOneConfirms(deps: Deps, waiting: readonly WaitingElement[]): SagaGenerator<boolean> {
  const times = waiting
    .filter(({ needsSignIn }) => !needsSignIn)
    .flatMap(({ confirmsFrom }) => confirmsFrom ?? [])
    .map((from) => asLocalTime(deps, msOf(from)));
  const { left } = yield* race({ due: call(untilDue, deps, times), left: call(untilSettingsLeft) });
  return !left;
}

const isElsewhere = (action: { readonly type: string }): boolean =>
  locationChanged.match(action) && action.payload.route !== 'accountSettings';

/** Returns when the account settings are left. */
export function* untilSettingsLeft(): SagaGenerator<true> {
  yield* take(isElsewhere);
  return true;
}
