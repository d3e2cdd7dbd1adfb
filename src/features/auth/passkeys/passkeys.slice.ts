import { sessionEnded, setupStarted } from '@features/session';
import { createSlice, isAnyOf, type PayloadAction } from '@reduxjs/toolkit';
import type { PasskeyEntry } from '@shared/api/extensionDecoders';
import { locationChanged } from '@shared/routing/location.slice';

/** A passkey of the account settings. `credentialId`: as the browser names it. */
export interface Passkey extends Omit<PasskeyEntry, 'id'> {
  readonly credentialId: string;
}

/** The passkeys, newest first. A loaded list stays while it is loaded again. */
type PasskeyList =
  | { readonly phase: 'absent' }
  | { readonly phase: 'loading' }
  | { readonly phase: 'failed' }
  | { readonly phase: 'loaded'; readonly entries: readonly Passkey[] };

/** What needs a proof of identity. */
export type PasskeyWish =
  { readonly kind: 'add' } | { readonly kind: 'remove'; readonly credentialId: string };

/** What the user does with them, one at a time. */
type PasskeyTask =
  | { readonly phase: 'none' }
  /** The field for the name is shown. */
  | { readonly phase: 'renaming'; readonly credentialId: string }
  | { readonly phase: 'saving'; readonly credentialId: string }
  /** Identity is being verified. */
  | { readonly phase: 'verifying'; readonly wish: PasskeyWish }
  | { readonly phase: 'adding' }
  | { readonly phase: 'removing'; readonly credentialId: string };

/** The section 'Passkeys' of the account settings. */
export interface PasskeysState {
  readonly list: PasskeyList;
  readonly task: PasskeyTask;
}

const initialState = (): PasskeysState => ({ list: { phase: 'absent' }, task: { phase: 'none' } });

const slice = createSlice({
  name: 'passkeys',
  initialState,
  reducers: {
    /** The list may have changed, or the user pressed 'Try Again'. */
    passkeysRequested: (state): PasskeysState =>
      state.list.phase === 'loaded' ? state : { ...state, list: { phase: 'loading' } },
    passkeysLoaded: (state, { payload }: PayloadAction<readonly Passkey[]>): PasskeysState =>
      state.list.phase === 'absent' ? state : { ...state, list: { phase: 'loaded', entries: payload } },
    passkeysFailed: (state): PasskeysState =>
      state.list.phase === 'loading' ? { ...state, list: { phase: 'failed' } } : state,
    /** 'Rename' opens the field, and closes it. */
    renamingToggled: (state, { payload }: PayloadAction<string>): PasskeysState => {
      const { task } = state;
      if (task.phase === 'renaming' && task.credentialId === payload)
        return { ...state, task: { phase: 'none' } };
      return withTask(state, { phase: 'renaming', credentialId: payload });
    },
    nameSubmitted: (
      state,
      { payload }: PayloadAction<{ readonly credentialId: string; readonly name: string }>,
    ): PasskeysState => withTask(state, { phase: 'saving', credentialId: payload.credentialId }),
    /** 'Remove', before it is confirmed. */
    removalRequested: (state, _action: PayloadAction<string>) => state,
    /** 'Add a Passkey', or a removal that was confirmed. */
    proofNeeded: (state, { payload }: PayloadAction<PasskeyWish>): PasskeysState =>
      withTask(state, { phase: 'verifying', wish: payload }),
    /** Identity is verified. */
    wishStarted: (state): PasskeysState => {
      const { task } = state;
      if (task.phase !== 'verifying') return state;
      const { kind, ...what } = task.wish;
      return {
        ...state,
        task: kind === 'add' ? { phase: 'adding' } : { phase: 'removing', credentialId: '', ...what },
      };
    },
    taskEnded: (state): PasskeysState => ({ ...state, task: { phase: 'none' } }),
  },
  extraReducers: (builder) => {
    // Where identity is verified, and nowhere else: the address alone must add and remove nothing.
    builder.addCase(locationChanged, (state, { payload }): PasskeysState =>
      state.task.phase === 'verifying' && payload.route !== 'askPassword'
        ? { ...state, task: { phase: 'none' } }
        : state,
    );
    // The next user must not see it.
    builder.addMatcher(isAnyOf(sessionEnded, setupStarted), initialState);
  },
});

/** Nothing else begins while the service or the browser is asked. */
function withTask(state: PasskeysState, task: PasskeyTask): PasskeysState {
  return isBusy(state) ? state : { ...state, task };
}

const isBusy = ({ task }: PasskeysState): boolean => ['saving', 'adding', 'removing'].includes(task.phase);

export const passkeysReducer = slice.reducer;
export const {
  passkeysRequested,
  passkeysLoaded,
  passkeysFailed,
  renamingToggled,
  nameSubmitted,
  removalRequested,
  proofNeeded,
  wishStarted,
  taskEnded,
} = slice.actions;

interface PasskeysRoot {
  readonly auth: { readonly passkeys: PasskeysState };
}

export const selectPasskeys = (state: PasskeysRoot): PasskeysState => state.auth.passkeys;

/** What identity is being verified for; `null`: nothing. */
export const selectPasskeyWish = (state: PasskeysRoot): PasskeyWish | null => {
  const { task } = selectPasskeys(state);
  return task.phase === 'verifying' ? task.wish : null;
};
