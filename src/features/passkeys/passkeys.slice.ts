import { sessionEnded, setupStarted } from '@features/session';
import { createSlice, isAnyOf, type PayloadAction } from '@reduxjs/toolkit';
import type { PasskeyEntry } from './passkeys.calls';
import { locationChanged } from '@shared/routing/location.slice';

/** A passkey of the account settings. `credentialId` is the id that the browser uses. */
export interface Passkey extends Omit<PasskeyEntry, 'id'> {
  readonly credentialId: string;
}

/** The passkeys, newest first. A loaded list stays while it is loaded again. */
type PasskeyList =
  | { readonly phase: 'absent' }
  | { readonly phase: 'loading' }
  | { readonly phase: 'failed' }
  | { readonly phase: 'loaded'; readonly entries: readonly Passkey[] };

/** A change that needs a proof of identity. */
export type PasskeyChange =
  { readonly kind: 'add' } | { readonly kind: 'remove'; readonly credentialId: string };

/** What the user does with the passkeys, one task at a time. */
type PasskeyTask =
  | { readonly phase: 'none' }
  /** The field for the name is shown. */
  | { readonly phase: 'renaming'; readonly credentialId: string }
  | { readonly phase: 'saving'; readonly credentialId: string }
  /** Identity is being verified. */
  | { readonly phase: 'verifying'; readonly change: PasskeyChange }
  | { readonly phase: 'adding' }
  | { readonly phase: 'removing'; readonly credentialId: string };

/** The section 'Passkeys' of the account settings. */
export interface PasskeysState {
  readonly list: PasskeyList;
  readonly task: PasskeyTask;
}

const initialState: PasskeysState = { list: { phase: 'absent' }, task: { phase: 'none' } };

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
    /** 'Rename' opens or closes the field. */
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
    /** 'Remove' was pressed, and is not confirmed yet. */
    removalRequested: (state, _action: PayloadAction<string>) => state,
    /** 'Add a Passkey', or a removal that was confirmed. */
    proofNeeded: (state, { payload }: PayloadAction<PasskeyChange>): PasskeysState =>
      withTask(state, { phase: 'verifying', change: payload }),
    /** Identity is verified. */
    pendingChangeStarted: (state): PasskeysState => {
      const { task } = state;
      if (task.phase !== 'verifying') return state;
      const { kind, ...what } = task.change;
      return {
        ...state,
        task: kind === 'add' ? { phase: 'adding' } : { phase: 'removing', credentialId: '', ...what },
      };
    },
    taskEnded: (state): PasskeysState => ({ ...state, task: { phase: 'none' } }),
  },
  extraReducers: (builder) => {
    // The change lasts for one visit of verify identity, because the address alone must not add or remove a passkey.
    builder.addCase(locationChanged, (state, { payload }): PasskeysState =>
      state.task.phase === 'verifying' && payload.route !== 'askPassword'
        ? { ...state, task: { phase: 'none' } }
        : state,
    );
    // The next user must not see the list.
    builder.addMatcher(isAnyOf(sessionEnded, setupStarted), () => initialState);
  },
});

/** Starts a task, unless a call or the browser's dialog is in progress. */
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
  pendingChangeStarted,
  taskEnded,
} = slice.actions;

/** The state of the section. Before the slice exists, it is the initial state. */
export const selectPasskeys = (state: { readonly passkeys?: PasskeysState }): PasskeysState =>
  state.passkeys ?? initialState;

/** The change for which identity is being verified, or `null`. */
export function selectPendingChange(state: Parameters<typeof selectPasskeys>[0]): PasskeyChange | null {
  const { task } = selectPasskeys(state);
  return task.phase === 'verifying' ? task.change : null;
}
