import type { Visit } from '@shared/routing/room';
import { call } from '@shared/sagas/call.saga';
import { put, select } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { appStep } from './appStep.saga';
import { codeStep } from './codeStep.saga';
import { phoneStep } from './phoneStep.saga';
import { selectSetup } from './setup.selectors';
import { setupStepEntered, type SetupState, type SetupStep } from './setup.slice';
import type { SetupDeps } from './setupDeps';
import { decideStep } from './setupPaths';
import { readProof } from './setupProof';

const workOf = { phone: phoneStep, app: appStep, code: codeStep } as const;

/** The work of a step's screen (specification §4 MFA setup), or the way to where the set-up stands. */
export function* setupStep(deps: SetupDeps, step: SetupStep, { params }: Visit): SagaGenerator<void> {
  const state: SetupState = yield* select(selectSetup);
  const decision = decideStep(step, params['uid'], state, readProof(deps)?.uid ?? null);
  if (decision.kind === 'redirect') {
    yield* call(deps.navigation.replace, decision.to);
    return;
  }
  yield* put(setupStepEntered(step));
  yield* call(workOf[step], deps);
}
