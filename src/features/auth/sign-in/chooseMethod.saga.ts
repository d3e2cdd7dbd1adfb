import { call } from '@shared/sagas/call.saga';
import { isAnyOf } from '@reduxjs/toolkit';
import type { Task } from 'redux-saga';
import { cancel, fork, put, take } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { providerSignIn, type ProviderOffer, type ProviderSignInDeps } from '../provider/providerSignIn.saga';
import { passwordSignIn } from './passwordSignIn.saga';
import type { Person } from './person';
import {
  methodsLoaded,
  passwordSubmitted,
  providerAbandoned,
  providerChosen,
  providerCodeReceived,
  signInFailed,
} from './signIn.slice';

const turningPoints = isAnyOf(passwordSubmitted, providerChosen, providerAbandoned, providerCodeReceived);

/**
 * The second step of `/login`. A single method that is not the password starts by itself (specification §4, login
 * flow 3). One attempt at a time: a new one, or Cancel, ends a provider's window that is still open; while a password
 * is checked or a code exchanged, nothing else is heard.
 */
export function* chooseMethod(deps: ProviderSignInDeps, person: Person): SagaGenerator<void> {
  yield* put(methodsLoaded(person.methods));
  const only = onlyProvider(person);
  if (only) yield* put(providerChosen(only.method));
  let running: Task | null = only ? yield* fork(providerSignIn, deps, person, only) : null;
  for (;;) {
    const action = yield* take(turningPoints);
    if (providerCodeReceived.match(action)) {
      yield* take(signInFailed);
      continue;
    }
    const offer = providerChosen.match(action) ? offerOf(person, action.payload) : null;
    if (providerChosen.match(action) && !offer) continue;
    if (passwordSubmitted.match(action) && !hasPassword(person)) continue;
    if (running) yield* cancel(running);
    // The window is opened here and now, in the turn of the click: browsers allow it at no other time.
    running = offer ? yield* fork(providerSignIn, deps, person, offer) : null;
    if (passwordSubmitted.match(action)) yield* call(passwordSignIn, deps, person, action.meta.secret);
  }
}

/** The provider that signs in by itself: the only method there is. */
function onlyProvider({ methods: [only, ...others] }: Person): ProviderOffer | null {
  return only && only.method !== 'basic' && others.length === 0 ? only : null;
}

const hasPassword = ({ methods }: Person): boolean => methods.some(({ method }) => method === 'basic');

function offerOf({ methods }: Person, wanted: ProviderOffer['method']): ProviderOffer | null {
  return methods.find((offer): offer is ProviderOffer => offer.method === wanted) ?? null;
}
