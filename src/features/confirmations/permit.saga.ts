import { sessionEnded } from '@features/session';
import { showAlert } from '@features/ui-dialogs';
import type { ApiError } from '@shared/api/apiError';
import type { Deps } from '@shared/deps';
import { call } from '@shared/sagas/call.saga';
import { fork, put, race, select, take } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { askForProof, type Proof } from './askForProof.saga';
import { elementPermitted, elementsRequested } from './elements.slice';
import { elementMessages } from './elements.messages';
import {
  attemptEnded,
  passkeyRequested,
  permissionEnded,
  type permissionRequested,
  selectProof,
  textRequested,
} from './proof.slice';
import { untilSettingsLeft } from './untilOneConfirms.saga';

type Request = ReturnType<typeof permissionRequested>['payload'];

/** Asks for a proof by an element that confirms payments, to permit a passkey. Leaving the settings cancels it. */
export function* permit(deps: Deps, request: Request): SagaGenerator<void> {
  const { left } = yield* race({
    asking: call(ask, deps, request),
    over: take([elementPermitted, permissionEnded, sessionEnded]),
    left: call(untilSettingsLeft),
  });
  if (left) yield* put(permissionEnded());
}

/** If there is only one method, it starts at once. */
function* ask(deps: Deps, { credentialId: id, methods }: Request): SagaGenerator<void> {
  const { permissionOptions, permitByPasskey, sendPermissionCode, permitByCode } = deps.api.confirmations;
  const proof: Proof<void> = {
    passkeyOptions: (bearer) => permissionOptions(bearer, id),
    byPasskey: (bearer, given) => permitByPasskey(bearer, { id, ...given }),
    sendText: (bearer) => sendPermissionCode(bearer, id),
    byCode: (bearer, code) => permitByCode(bearer, { id, code }),
    *accepted() {
      yield* put(elementsRequested());
      yield* put(elementPermitted(id));
    },
    outdated,
  };
  yield* fork(askForProof<void>, deps, proof);
  if ((yield* select(selectProof)).phase !== 'asking' || methods.passkey === methods.text) return;
  yield* put(methods.passkey ? passkeyRequested() : textRequested());
}

/** The passkey may be gone or permitted, or every method is blocked. */
function* outdated({ details: { serverCode } }: ApiError): SagaGenerator<void> {
  yield* put(elementsRequested());
  yield* put(attemptEnded());
  if (serverCode === 'method_blocked') yield* call(showAlert, elementMessages.blocked);
  yield* put(permissionEnded());
}
