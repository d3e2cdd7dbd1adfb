import type { SignInState } from './signIn.slice';

/** The state of `/login`. */
export const selectSignIn = (state: { readonly auth: { readonly signIn: SignInState } }): SignInState =>
  state.auth.signIn;

/** Whether an attempt is under way: sent to the service, or in a provider's window. */
export const selectIsSigningIn = (state: Parameters<typeof selectSignIn>[0]): boolean => {
  const signIn = selectSignIn(state);
  return signIn.phase === 'submitting' || (signIn.phase === 'choosing' && signIn.provider !== null);
};
