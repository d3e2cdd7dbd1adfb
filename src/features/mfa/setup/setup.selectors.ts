import type { SetupState } from './setup.slice';

/** The set-up, in whatever phase it is. */
export const selectSetup = (state: { readonly mfa: { readonly setup: SetupState } }): SetupState =>
  state.mfa.setup;
