import type { SignInState } from './signIn.slice';

/** The state of `/login`. */
export const selectSignIn = (state: { readonly auth: { readonly signIn: SignInState } }): SignInState =>
  state.auth.signIn;
