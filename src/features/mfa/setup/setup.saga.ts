import type { Action } from '@reduxjs/toolkit';
import { locationChanged } from '@shared/routing/location.slice';
import { matchRoute } from '@shared/routing/matchRoute';
import { paths } from '@shared/routing/paths';
import { call } from '@shared/sagas/call';
import { withChannel } from '@shared/sagas/withChannel.saga';
import type { TakeableChannel, Task } from 'redux-saga';
import { cancel, fork, put, take } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { appStep } from './appStep.saga';
import { codeStep } from './codeStep.saga';
import { phoneStep } from './phoneStep.saga';
import { setupDropped, setupReducer, setupResumed, setupStepEntered, type SetupState } from './setup.slice';
import type { SetupDeps } from './setupDeps';
import { decideStep, setupPath, stepOf } from './setupPaths';
import { readProof } from './setupProof';

const workOf = { phone: phoneStep, app: appStep, code: codeStep } as const;

/**
 * The set-up (specification §4 MFA setup): leads from step to step and runs the work of the step that is shown. It
 * keeps the state for itself, made from the events as they happen: the store's may be one of the past in DevTools.
 *
 * @param events - every event of the feature and every change of address, in order
 * @param first - the one that the set-up was fetched for
 */
export function* setupSaga(
  deps: SetupDeps,
  events: TakeableChannel<Action>,
  first: Action,
): SagaGenerator<void> {
  yield* fork(forgetOnLeave, deps);
  let state: SetupState = { phase: 'none' };
  let pathname: string | null = null;
  let running: Task | null = null;
  for (let event = first; ; event = yield* take(events)) {
    state = setupReducer(state, event);
    if (setupResumed.match(event)) yield* call(goOn, deps, state);
    if (!locationChanged.match(event) || event.payload.pathname === pathname) continue;
    pathname = event.payload.pathname;
    // What an earlier screen asked for is answered to nobody.
    if (running) yield* cancel(running);
    // Delegated, not called: a call would wait for the work that it forks.
    running = yield* enter(deps, pathname, state);
  }
}

function* goOn(deps: SetupDeps, state: SetupState): SagaGenerator<void> {
  const proof = readProof(deps);
  yield* call(deps.navigation.replace, proof ? setupPath(state, proof.uid) : paths.mfaOptions());
}

/** @returns the work of the step that was entered, if it was one */
function* enter(deps: SetupDeps, pathname: string, state: SetupState): SagaGenerator<Task | null> {
  const uid = readProof(deps)?.uid ?? null;
  const decision = decideStep(matchRoute(pathname), state, uid);
  switch (decision.kind) {
    case 'enter':
      yield* put(setupStepEntered(decision.step));
      return yield* fork(workOf[decision.step], deps, state);
    case 'redirect':
      yield* call(deps.navigation.replace, decision.to);
      return null;
    case 'pause':
      return null;
    case 'leave':
      yield* call(deps.vault.drop, 'enrolment');
      if (state.phase !== 'none') yield* put(setupDropped());
      return null;
  }
}

/**
 * A page that goes into the back/forward cache takes nothing of the set-up along: the vault is emptied by its port, and
 * what comes back begins with the choice of a method.
 */
function* forgetOnLeave({ navigation, pageLife }: SetupDeps): SagaGenerator<void> {
  yield* withChannel(pageLife.subscribe, function* (life) {
    for (;;) {
      const event = yield* take(life);
      if (event === 'left') yield* put(setupDropped());
      if (event === 'restored' && stepOf(matchRoute(navigation.current().pathname)))
        yield* call(navigation.replace, paths.mfaOptions());
    }
  });
}
