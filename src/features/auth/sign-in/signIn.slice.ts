import type { Destination } from '@features/session';
import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { LoginMethod, LoginMethodName } from '@shared/api/api';
import type { Provider } from '@shared/platform/platform';

/** Who is signing in, once the username was sent. */
interface Known {
  readonly username: string;
  readonly rememberMe: boolean;
}

/** A provider's window that is on its way, or was not let through. */
export interface ProviderAttempt {
  readonly method: Provider;
  /** `maybeClosed`: the window reads as closed, which need not be true (decisions §7). */
  readonly status: 'blocked' | 'waiting' | 'maybeClosed';
  /** How often the browser has let no window open, whichever the provider. */
  readonly blocks: number;
}

/** Second step, with what it offers. */
interface Offered extends Known {
  readonly methods: readonly LoginMethod[];
  readonly failures: number;
}

/** The steps of `/login` as phases, so that an impossible screen cannot be stored. */
export type SignInState =
  /** First step. `username` is what the field starts with: the remembered name, or the one that was just tried. */
  | ({ readonly phase: 'username' } & Known)
  | ({ readonly phase: 'loadingMethods' } & Known)
  /** Second step. `failures` counts refused attempts, so that the field can empty itself after each. */
  | ({ readonly phase: 'choosing'; readonly provider: ProviderAttempt | null } & Offered)
  | ({ readonly phase: 'submitting'; readonly method: LoginMethodName } & Offered)
  /** Signed in; the browser is on its way to the application, unless somebody stops it. */
  | { readonly phase: 'leaving'; readonly target: string }
  /** Signed in, but the application sends the person back again and again (decisions §8). */
  | { readonly phase: 'stopped' }
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
        ? { ...state, phase: 'choosing', methods: payload, failures: 0, provider: null }
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
    /** The provider's window is being opened; the form stays usable beside it. */
    providerChosen: (state, { payload }: PayloadAction<Provider>): SignInState =>
      offers(state, payload)
        ? { ...state, provider: { method: payload, ...windowOf('waiting', state.provider) } }
        : state,
    providerBlocked: (state): SignInState => withStatus(state, 'blocked'),
    providerMaybeClosed: (state): SignInState => withStatus(state, 'maybeClosed'),
    /** The person gave up waiting for the provider's window. */
    providerAbandoned: (state): SignInState =>
      state.phase === 'choosing' ? { ...state, provider: null } : state,
    /** Nobody listens for the window any more, and a dialog has told why. The line about a blocked one stays. */
    providerEnded: (state): SignInState =>
      state.phase === 'choosing' && state.provider?.status !== 'blocked'
        ? { ...state, provider: null }
        : state,
    /** The code is there and being exchanged. */
    providerCodeReceived: (state, { payload }: PayloadAction<Provider>): SignInState =>
      submitting(state, payload),
    /** The attempt is over; the payload is what the dialog says. */
    signInFailed: (state, _action: PayloadAction<string>): SignInState => {
      // A provider's window that failed while the form was usable: it may still answer.
      if (state.phase !== 'submitting') return state;
      const { username, rememberMe, methods, failures } = state;
      return { phase: 'choosing', username, rememberMe, methods, failures: failures + 1, provider: null };
    },
    /** A session is there, from this sign-in or an earlier one. */
    signInCompleted: (state, { payload }: PayloadAction<Destination>): SignInState => {
      if (payload.kind === 'application') return { phase: 'leaving', target: payload.url };
      // On the way to another screen of ours the pressed button stays as it is.
      return payload.kind === 'stay' ? { phase: 'signedIn' } : state;
    },
    /** The redirects went in a loop, which ends here. */
    signInStopped: (): SignInState => ({ phase: 'stopped' }),
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

/** The window of an attempt once its status changed. */
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
  signInCompleted,
  signInStopped,
} = slice.actions;
