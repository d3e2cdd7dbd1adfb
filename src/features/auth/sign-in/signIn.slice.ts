import type { Failure } from '@features/ui-dialogs';
import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { LoginMethod, LoginMethodName } from '@shared/api/decoders';
import { wayChosen, wayEnded, wayRequested } from '@shared/slots';
import { providerCodeReceived, selectIsAtProvider } from '../provider/providerAttempt.slice';
import { signInCompleted } from '../token-response/tokenResponse';

/** The submitted username step. */
export interface SignInUser {
  readonly username: string;
  readonly rememberMe: boolean;
}

/** The method step. */
interface MethodStepState extends SignInUser {
  readonly methods: readonly LoginMethod[];
  readonly failures: number;
}

/** The steps of `/login` as phases, so that an impossible screen cannot be stored. */
export type SignInState =
  /** Username step. `username` is the start value of the field: the remembered username, or the one of the last attempt. */
  | ({ readonly phase: 'username' } & SignInUser)
  | ({ readonly phase: 'loadingMethods' } & SignInUser)
  /** Another way, chosen in the list of the username field, is being checked. */
  | ({ readonly phase: 'checkingWay' } & SignInUser)
  /** Method step. `failures` counts the refused attempts. Each one empties the password field. */
  | ({ readonly phase: 'choosing' } & MethodStepState)
  /** `method` is the name that the service uses, or the feature of another way. */
  | ({ readonly phase: 'submitting'; readonly method: string } & MethodStepState)
  /** Signed in; the browser is loading the application. */
  | { readonly phase: 'leaving'; readonly target: string }
  /** Signed in, but the application keeps sending the user back. See docs/behaviour.md#redirect-loops. */
  | { readonly phase: 'stopped' }
  /** Signed in inside a frame, where the parent continues. See docs/behaviour.md#redirect-rule. */
  | { readonly phase: 'signedIn' };

const slice = createSlice({
  name: 'signIn',
  initialState: (): SignInState => ({ phase: 'username', username: '', rememberMe: false }),
  reducers: {
    /**
     * `/login` was entered, or restored from the back/forward cache. `rememberMe` is the choice before an automatic reload.
     */
    loginEntered: (
      _state,
      {
        payload: { rememberedUsername, rememberMe = rememberedUsername !== '' },
      }: PayloadAction<{ readonly rememberedUsername: string; readonly rememberMe?: boolean }>,
    ): SignInState => ({ phase: 'username', username: rememberedUsername, rememberMe }),
    /** The username is trimmed here for all callers. */
    usernameSubmitted: {
      prepare: ({ username, rememberMe }: SignInUser) => ({
        payload: { username: username.trim(), rememberMe },
      }),
      reducer: (state, { payload }: PayloadAction<SignInUser>): SignInState =>
        state.phase === 'username' && payload.username !== ''
          ? { phase: 'loadingMethods', ...payload }
          : state,
    },
    methodsLoaded: (state, { payload }: PayloadAction<readonly LoginMethod[]>): SignInState =>
      state.phase === 'loadingMethods'
        ? { ...state, phase: 'choosing', methods: payload, failures: 0 }
        : state,
    /** The call failed or returned no method. The payload is for the dialog. */
    methodsUnavailable: (state, _action: PayloadAction<Failure>): SignInState =>
      state.phase === 'loadingMethods' ? { ...state, phase: 'username' } : state,
    /** Back to the username step. */
    usernameChangeRequested: (state): SignInState =>
      'methods' in state
        ? { phase: 'username', username: state.username, rememberMe: state.rememberMe }
        : state,
    /** The password is in `meta.secret`, never in the payload. */
    passwordSubmitted: {
      prepare: (password: string) => ({ payload: undefined, meta: { secret: password } }),
      reducer: (state): SignInState => submitting(state, 'basic'),
    },
    /** Payload: for the dialog. */
    signInFailed: (state, _action: PayloadAction<Failure>): SignInState => {
      if (state.phase !== 'submitting') return state;
      const { method: _refused, ...rest } = state;
      return { ...rest, phase: 'choosing', failures: state.failures + 1 };
    },
    /** The redirects form a loop. */
    signInStopped: (): SignInState => ({ phase: 'stopped' }),
  },
  extraReducers: (builder) => {
    builder.addCase(providerCodeReceived, (state, { payload }) => submitting(state, payload));
    builder.addCase(wayRequested, (state, { payload }): SignInState =>
      state.phase === 'choosing' ? { ...state, phase: 'submitting', method: payload } : state,
    );
    builder.addCase(wayChosen, (state): SignInState =>
      state.phase === 'username' ? { ...state, phase: 'checkingWay' } : state,
    );
    builder.addCase(wayEnded, (state): SignInState => {
      if (state.phase === 'checkingWay') return { ...state, phase: 'username' };
      if (state.phase !== 'submitting') return state;
      const { method: _cancelled, ...rest } = state;
      return { ...rest, phase: 'choosing' };
    });
    builder.addCase(signInCompleted, (state, { payload }): SignInState => {
      if (payload.kind === 'application') return { phase: 'leaving', target: payload.url };
      // If another screen of this application follows, the button stays busy.
      return payload.kind === 'stay' ? { phase: 'signedIn' } : state;
    });
  },
});

function submitting(state: SignInState, method: LoginMethodName): SignInState {
  const isOffered = state.phase === 'choosing' && state.methods.some((offer) => offer.method === method);
  return isOffered ? { ...state, phase: 'submitting', method } : state;
}

export const signInReducer = slice.reducer;
export const {
  loginEntered,
  usernameSubmitted,
  methodsLoaded,
  methodsUnavailable,
  usernameChangeRequested,
  passwordSubmitted,
  signInFailed,
  signInStopped,
} = slice.actions;

/** State of `/login`. */
export const selectSignIn = (state: { readonly auth: { readonly signIn: SignInState } }): SignInState =>
  state.auth.signIn;

/** Whether an attempt is pending: at the service, or in a provider's window that may be open. */
export const selectIsSigningIn = (
  state: Parameters<typeof selectSignIn>[0] & Parameters<typeof selectIsAtProvider>[0],
): boolean => {
  const { phase } = selectSignIn(state);
  if (phase === 'submitting' || phase === 'checkingWay') return true;
  return phase === 'choosing' && selectIsAtProvider(state);
};
