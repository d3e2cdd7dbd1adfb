import type { LoginMethod } from '@shared/api/api';
import { call } from '@shared/sagas/call';
import { isAnyOf } from '@reduxjs/toolkit';
import { put, take } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { showProviderUnavailable } from '../provider/showProviderUnavailable.saga';
import type { AfterTokenDeps } from './afterToken.saga';
import { passwordSignIn } from './passwordSignIn.saga';
import { methodsLoaded, passwordSubmitted, providerChosen } from './signIn.slice';

/** Somebody whose methods are known. */
export interface Person {
  readonly username: string;
  readonly rememberMe: boolean;
  readonly methods: readonly LoginMethod[];
}

/**
 * The second step of `/login`, one attempt at a time: whatever is pressed while one is under way is not heard. A single
 * method that is not the password starts by itself (specification §4, login flow 3).
 */
export function* chooseMethod(deps: AfterTokenDeps, person: Person): SagaGenerator<void> {
  yield* put(methodsLoaded(person.methods));
  const [only, ...others] = person.methods;
  if (only && only.method !== 'basic' && others.length === 0) {
    yield* put(providerChosen(only.method));
    yield* call(showProviderUnavailable, only.method);
  }
  for (;;) {
    const action = yield* take(isAnyOf(passwordSubmitted, providerChosen));
    const chosen = providerChosen.match(action) ? action.payload : 'basic';
    if (!person.methods.some(({ method }) => method === chosen)) continue;
    if (providerChosen.match(action)) yield* call(showProviderUnavailable, action.payload);
    else yield* call(passwordSignIn, deps, person, action.meta.secret);
  }
}
