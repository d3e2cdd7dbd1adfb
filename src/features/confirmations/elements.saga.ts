import {
  accountChanged,
  isSetupMode,
  profileRequested,
  readAsBearer,
  sessionRestored,
} from '@features/session';
import type { Action } from '@reduxjs/toolkit';
import type { Deps } from '@shared/deps';
import { selectLocation } from '@shared/routing/location.slice';
import { call } from '@shared/sagas/call.saga';
import { put, select, takeEvery, takeLatest } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { elementsChanged, elementsLoaded, elementsRequested, type WaitingElement } from './elements.slice';
import { methodsOf } from './methodsOf.saga';
import { permissionRequested } from './proof.slice';
import { sectionChunk } from './sectionChunk';

/** Keeps the section 'Payments' of the settings up to date. See docs/behaviour.md#payments. */
export function* watchElements(deps: Deps): SagaGenerator<void> {
  yield* takeLatest(elementsRequested, load, deps);
  yield* takeEvery(
    [profileRequested, sessionRestored, elementsChanged, isOtherElement],
    requestWhereShown,
    deps,
  );
  yield* takeLatest(permissionRequested, permit, deps);
  yield* call(requestWhereShown, deps);
}

const isOtherElement = (action: Action): boolean =>
  accountChanged.match(action) && ['passkeys', 'mfa'].some((what) => action.payload.what.includes(what));

/** Requests the elements if the settings are shown. */
function* requestWhereShown(deps: Deps): SagaGenerator<void> {
  const { route } = yield* select(selectLocation);
  if (route === 'accountSettings' && !isSetupMode(deps)) yield* put(elementsRequested());
}

/** Loads the elements, and again when the time of one has come. A failure is not shown. */
function* load(deps: Deps): SagaGenerator<void> {
  const response = yield* readAsBearer(deps, async (token) => await deps.api.confirmations.elements(token));
  if (!response?.ok) return;
  const waiting = response.value.elements.flatMap(known);
  const methods = yield* call(methodsOf, deps, response.value.methods);
  // Loaded before the state, so that the section can be rendered at once.
  const { untilOneConfirms } = waiting.length > 0 ? yield* call(sectionChunk.load) : {};
  yield* put(elementsLoaded({ waiting, methods, readAt: deps.clock.now() }));
  if (untilOneConfirms && (yield* call(untilOneConfirms, deps, waiting))) yield* put(elementsRequested());
}

/** A method of a later version is left out. */
function known({
  method,
  id,
  ...element
}: Readonly<Record<'method', string>> &
  Omit<WaitingElement, 'method' | 'credentialId'> & {
    readonly id: string | null;
  }): readonly WaitingElement[] {
  return method === 'passkey' || method === 'text' ? [{ method, credentialId: id, ...element }] : [];
}

/** The saga is in the chunk of the section, which has been loaded. */
function* permit(deps: Deps, { payload }: ReturnType<typeof permissionRequested>): SagaGenerator<void> {
  const section = yield* call(sectionChunk.load);
  if (section.permit) yield* call(section.permit, deps, payload);
}
