import type { Failure } from '@features/ui-dialogs';
import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { LoginMethod, LoginMethodName } from '@shared/api/decoders';
import type { Provider } from '@shared/platform/platform';
import { signInCompleted } from '../token-response/tokenResponse';

/** The submitted username step. */
export interface SignInUser {
  readonly username: string;
  readonly rememberMe: boolean;
}

/** A provider's window that is open, or was blocked. */
export interface ProviderAttempt {
  readonly method: Provider;
  /**
   * `maybeClosed`: `closed` is true, which is only a hint. `closed`: the dialog has said that the attempt failed, and a
   * code may still arrive. See docs/behaviour.md#provider-window.
   */
  readonly status: 'blocked' | 'waiting' | 'maybeClosed' | 'closed';
  /** How often the browser has blocked a window, of any provider. */
  readonly blocks: number;
}

/** The method step. */
interface MethodStepState extends SignInUser {
  readonly methods: readonly LoginMethod[];
  readonly failures: number;
}

/** The steps of `/login` as phases, so that an impossible screen cannot be stored. */
export type SignInState =
  /** Username step. `username` is the start value of the field: the remembered one, or the one just tried. */
  | ({ readonly phase: 'username' } & SignInUser)
  | ({ readonly phase: 'loadingMethods' } & SignInUser)
  /** Method step. `failures` counts refused attempts: the password field empties itself after each. */
  | ({ readonly phase: 'choosing'; readonly provider: ProviderAttempt | null } & MethodStepState)
  | ({ readonly phase: 'submitting'; readonly method: LoginMethodName } & MethodStepState)
  /** Signed in; the browser is loading the application. */
  | { readonly phase: 'leaving'; readonly target: string }
  /** Signed in, but the application keeps sending the user back. See docs/behaviour.md#redirect-loops. */
  | { readonly phase: 'stopped' }
  /** Signed in inside a parent's frame, which takes over. See docs/behaviour.md#redirect-rule. */
  | { readonly phase: 'signedIn' };

const slice = createSlice({
  name: 'signIn',
  initialState: (): SignInState => ({ phase: 'username', username: '', rememberMe: false }),
  reducers: {
    /**
     * `/login` was entered, or restored from the back/forward cache. `rememberMe`: as it was before a reload that brought the
     * username along.
     */
    loginEntered: (
      _state,
      {
        payload: { rememberedUsername, rememberMe = rememberedUsername !== '' },
      }: PayloadAction<{ readonly rememberedUsername: string; readonly rememberMe?: boolean }>,
    ): SignInState => ({ phase: 'username', username: rememberedUsername, rememberMe }),
    /** First input in the username field. */
    usernameEditStarted: (state) => state,
    /** Trimmed here, for every caller. */
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
        ? { ...state, phase: 'choosing', methods: payload, failures: 0, provider: null }
        : state,
    /** The call failed or returned nothing. Payload: for the dialog. */
    methodsUnavailable: (state, _action: PayloadAction<Failure>): SignInState =>
      state.phase === 'loadingMethods' ? { ...state, phase: 'username' } : state,
    /** Back to the username step. */
    usernameChangeRequested: (state): SignInState =>
      'methods' in state
        ? { phase: 'username', username: state.username, rememberMe: state.rememberMe }
        : state,
    /** The password travels in `meta.secret`, never in the payload. */
    passwordSubmitted: {
      prepare: (password: string) => ({ payload: undefined, meta: { secret: password } }),
      reducer: (state): SignInState => submitting(state, 'basic'),
    },
    /** A provider's window is about to open; the form stays usable. */
    providerChosen: (state, { payload }: PayloadAction<Provider>): SignInState =>
      offers(state, payload)
        ? { ...state, provider: { method: payload, ...windowOf('waiting', state.provider) } }
        : state,
    providerBlocked: (state): SignInState => withStatus(state, 'blocked'),
    providerMaybeClosed: (state): SignInState => withStatus(state, 'maybeClosed'),
    /** Cancel, while the provider's window is open. */
    providerAbandoned: (state): SignInState =>
      state.phase === 'choosing' ? { ...state, provider: null } : state,
    /** The attempt ended without a code; a dialog has said why. The line about a blocked window stays. */
    providerEnded: (state): SignInState =>
      state.phase === 'choosing' && state.provider?.status !== 'blocked'
        ? { ...state, provider: null }
        : state,
    /** The code arrived and is being exchanged. */
    providerCodeReceived: (state, { payload }: PayloadAction<Provider>): SignInState =>
      submitting(state, payload),
    /** Payload: for the dialog. */
    signInFailed: (state, _action: PayloadAction<Failure>): SignInState => {
      if (state.phase !== 'submitting') return withStatus(state, 'closed');
      const { username, rememberMe, methods, failures } = state;
      return { phase: 'choosing', username, rememberMe, methods, failures: failures + 1, provider: null };
    },
    /** The redirects form a loop. */
    signInStopped: (): SignInState => ({ phase: 'stopped' }),
  },
  extraReducers: (builder) => {
    builder.addCase(signInCompleted, (state, { payload }): SignInState => {
      if (payload.kind === 'application') return { phase: 'leaving', target: payload.url };
      // Before another screen of this application the button stays busy.
      return payload.kind === 'stay' ? { phase: 'signedIn' } : state;
    });
  },
});

type Choosing = Extract<SignInState, { phase: 'choosing' }>;

function offers(state: SignInState, method: LoginMethodName): state is Choosing {
  return state.phase === 'choosing' && state.methods.some((offer) => offer.method === method);
}

function submitting(state: SignInState, method: LoginMethodName): SignInState {
  if (!offers(state, method)) return state;
  const { provider: _over, ...rest } = state;
  return { ...rest, phase: 'submitting', method };
}

function withStatus(state: SignInState, status: ProviderAttempt['status']): SignInState {
  return state.phase === 'choosing' && state.provider
    ? { ...state, provider: { ...state.provider, ...windowOf(status, state.provider) } }
    : state;
}

/** The attempt after a change of its status; counts blocked windows. */
export function windowOf(
  status: ProviderAttempt['status'],
  before: Pick<ProviderAttempt, 'blocks'> | null,
): Omit<ProviderAttempt, 'method'> {
  return { status, blocks: (before?.blocks ?? 0) + Number(status === 'blocked') };
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
  providerBlocked,
  providerMaybeClosed,
  providerAbandoned,
  providerEnded,
  providerCodeReceived,
  signInFailed,
  signInStopped,
} = slice.actions;

/** State of `/login`. */
export const selectSignIn = (state: { readonly auth: { readonly signIn: SignInState } }): SignInState =>
  state.auth.signIn;

/** Whether an attempt is pending: at the service, or in a provider's window that may be open. */
export const selectIsSigningIn = (state: Parameters<typeof selectSignIn>[0]): boolean => {
  const signIn = selectSignIn(state);
  if (signIn.phase !== 'choosing') return signIn.phase === 'submitting';
  return signIn.provider?.status === 'waiting' || signIn.provider?.status === 'maybeClosed';
};
