import { sessionEnded, setupStarted } from '@features/session';
import { createSlice, isAnyOf, type PayloadAction } from '@reduxjs/toolkit';
import { locationChanged } from '@shared/routing/location.slice';
import { paths } from '@vestibule/contract/paths';

/** Recovery codes, of the extension `recovery-codes`. The codes themselves are in the vault. */
export interface RecoveryCodesState {
  /** The number of codes that are left. */
  readonly count:
    | { readonly phase: 'absent' }
    | { readonly phase: 'failed' }
    | { readonly phase: 'counted'; readonly remaining: number };
  readonly codes:
    | { readonly phase: 'none' }
    /** Identity is being verified. The request holds for one visit, because the address alone must not replace codes. */
    | { readonly phase: 'requested' }
    /** The new codes are shown. `madeAt` is in ms since the epoch. */
    | { readonly phase: 'shown'; readonly madeAt: number; readonly copied: CopiedCodes | null };
}

/** Whether the browser allowed copying, and the number of presses, which distinguishes one press from the next. */
interface CopiedCodes {
  readonly outcome: 'copied' | 'refused';
  readonly times: number;
}

const none = { phase: 'none' } as const;
const initialState = (): RecoveryCodesState => ({ count: { phase: 'absent' }, codes: none });

const slice = createSlice({
  name: 'recovery-codes',
  initialState,
  reducers: {
    /** The chunk of the extension has loaded. The account may have been loaded before. */
    recoveryCodesAwaited: (state) => state,
    recoveryCodesCounted: (state, { payload }: PayloadAction<number>): RecoveryCodesState => ({
      ...state,
      count: { phase: 'counted', remaining: payload },
    }),
    recoveryCountFailed: (state): RecoveryCodesState => ({ ...state, count: { phase: 'failed' } }),
    /** 'Get Recovery Codes' was pressed. */
    recoveryCodesRequested: (state) => state,
    /** There were no codes, or the user agreed to replace them. */
    recoveryCodesConfirmed: (state): RecoveryCodesState => ({ ...state, codes: { phase: 'requested' } }),
    recoveryCodesMade: (state, { payload }: PayloadAction<number>): RecoveryCodesState => ({
      ...state,
      codes: { phase: 'shown', madeAt: payload, copied: null },
    }),
    /** 'Copy', 'Download' or 'Print' was pressed. */
    recoveryCodesTaken: (state, _action: PayloadAction<'copy' | 'download' | 'print'>) => state,
    recoveryCopyEnded: (state, { payload }: PayloadAction<CopiedCodes['outcome']>): RecoveryCodesState =>
      state.codes.phase === 'shown'
        ? {
            ...state,
            codes: {
              ...state.codes,
              copied: { outcome: payload, times: (state.codes.copied?.times ?? 0) + 1 },
            },
          }
        : state,
    /** 'Done' was pressed, or the screen was left. */
    recoveryCodesHidden: (state): RecoveryCodesState => ({ ...state, codes: none }),
  },
  extraReducers: (builder) => {
    builder.addCase(locationChanged, (state, { payload }) =>
      state.codes.phase === 'requested' && !payload.pathname.startsWith(paths.askPassword('recovery-codes'))
        ? { ...state, codes: none }
        : state,
    );
    // The next user must not see this state.
    builder.addMatcher(isAnyOf(sessionEnded, setupStarted), initialState);
  },
});

export const recoveryCodesReducer = slice.reducer;
export const {
  recoveryCodesAwaited,
  recoveryCodesCounted,
  recoveryCountFailed,
  recoveryCodesRequested,
  recoveryCodesConfirmed,
  recoveryCodesMade,
  recoveryCodesTaken,
  recoveryCopyEnded,
  recoveryCodesHidden,
} = slice.actions;

/** `undefined` before the slice exists. */
export const selectRecoveryCodes = (state: {
  readonly 'recovery-codes'?: RecoveryCodesState;
}): RecoveryCodesState | undefined => state['recovery-codes'];
