import { features } from '@app/features';
import { injectReducers } from '@app/rootReducer';
import * as auth from '@features/auth/late';
import * as mfa from '@features/mfa/late';
import * as password from '@features/password/late';
import * as session from '@features/session/late';

/** Adds the state of every feature, at once. */
export function injectEveryReducer(): void {
  const late = Object.entries({ auth, mfa, password, session }).map(([name, { reducer }]) => [name, reducer]);
  const added = features.flatMap(({ name, scenarios }) =>
    scenarios?.reducer ? [[name, scenarios.reducer]] : [],
  );
  injectReducers(Object.fromEntries([...late, ...added]) as Parameters<typeof injectReducers>[0]);
}
