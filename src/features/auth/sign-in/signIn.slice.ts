import type { Destination } from '@features/session';
import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { LoginMethod, LoginMethodName } from '@shared/api/api';

/** Who is signing in, once the username was sent. */
interface Known {
  readonly username: string;
  readonly rememberMe: boolean;
}

/** The steps of `/login` as phases, so that an impossible screen cannot be stored. */
export type SignInState =
  /** First step. `username` is what the field starts with: the remembered name, or the one that was just tried. */
  | ({ readonly phase: 'username' } & Known)
  | ({ readonly phase: 'loadingMethods' } & Known)
  /** Second step. `failures` counts refused attempts, so that the field can empty itself after each. */
  | ({
      readonly phase: 'choosing';
      readonly methods: readonly LoginMethod[];
      readonly failures: number;
    } & Known)
  | ({
      readonly phase: 'submitting';
      readonly methods: readonly LoginMethod[];
      readonly failures: number;
      readonly method: LoginMethodName;
    } & Known)
  /** Signed in; the browser is on its way to the application, unless somebody stops it. */
  | { readonly phase: 'leaving'; readonly target: string }
  /** Signed in inside a parent's frame, where nothing happens by itself (decisions §6). */
  | { readonly phase: 'signedIn' };

const slice = createSlice({
  name: 'auth',
  initialState: (): SignInState => ({ phase: 'username', username: '', rememberMe: false }),
  reducers: {
    /** `/login` was entered, or came back from the back/forward cache. */
    loginEntered: (
      _state,
      { payload }: PayloadAction<{ readonly rememberedUsername: string }>,
    ): SignInState => ({
      phase: 'username',
      username: payload.rememberedUsername,
      rememberMe: payload.rememberedUsername !== '',
    }),
    /** The first key went down in the username field: a sign-in is about to begin. */
    usernameEditStarted: (state) => state,
    /** Trimmed here, so that whatever sends it, no blank is ever looked up (specification §5). */
    usernameSubmitted: {
      prepare: ({ username, rememberMe }: Known) => ({ payload: { username: username.trim(), rememberMe } }),
      reducer: (state, { payload }: PayloadAction<Known>): SignInState =>
        state.phase === 'username' && payload.username !== ''
          ? { phase: 'loadingMethods', ...payload }
          : state,
    },
    methodsLoaded: (state, { payload }: PayloadAction<readonly LoginMethod[]>): SignInState =>
      state.phase === 'loadingMethods'
        ? { ...state, phase: 'choosing', methods: payload, failures: 0 }
        : state,
    /** The call failed or returned nothing; the payload is what the dialog says. */
    methodsUnavailable: (state, _action: PayloadAction<string>): SignInState =>
      state.phase === 'loadingMethods' ? { ...state, phase: 'username' } : state,
    /** Back from the second step to the first. */
    usernameChangeRequested: (state): SignInState =>
      'methods' in state
        ? { phase: 'username', username: state.username, rememberMe: state.rememberMe }
        : state,
    /** The password travels in `meta.secret`, never in the payload. */
    passwordSubmitted: {
      prepare: (password: string) => ({ payload: undefined, meta: { secret: password } }),
      reducer: (state): SignInState => submitting(state, 'basic'),
    },
    providerChosen: (state, { payload }: PayloadAction<'google' | 'microsoft'>): SignInState =>
      submitting(state, payload),
    /** The attempt is over; the payload is what the dialog says. */
    signInFailed: (state, _action: PayloadAction<string>): SignInState =>
      state.phase === 'submitting'
        ? {
            phase: 'choosing',
            username: state.username,
            rememberMe: state.rememberMe,
            methods: state.methods,
            failures: state.failures + 1,
          }
        : state,
    /** A session is there, from this sign-in or an earlier one. */
    signInCompleted: (state, { payload }: PayloadAction<Destination>): SignInState => {
      if (payload.kind === 'application') return { phase: 'leaving', target: payload.url };
      // On the way to another screen of ours the pressed button stays as it is.
      return payload.kind === 'stay' ? { phase: 'signedIn' } : state;
    },
  },
});

function submitting(state: SignInState, method: LoginMethodName): SignInState {
  const offered = state.phase === 'choosing' && state.methods.some((offer) => offer.method === method);
  return offered ? { ...state, phase: 'submitting', method } : state;
}

export const signInReducer = slice.reducer;
export const {
  loginEntered,
  usernameEditStarted,
  usernameSubmitted,
  methodsLoaded,
  methodsUnavailable,
  usernameChangeRequested,
  passwordSubmitted,
  providerChosen,
  signInFailed,
  signInCompleted,
} = slice.actions;
