import { createSlice, type PayloadAction } from '@reduxjs/toolkit';

/** What takes longer than a second: the check of the session, the load of a screen, or both. */
export type WaitState = Readonly<Record<'session' | 'screen', boolean>>;

const initialState: WaitState = { session: false, screen: false };

const slice = createSlice({
  name: 'wait',
  initialState,
  reducers: {
    waitNoticed: (state, { payload }: PayloadAction<keyof WaitState>) => ({ ...state, [payload]: true }),
    waitEnded: (state, { payload }: PayloadAction<keyof WaitState>) => ({ ...state, [payload]: false }),
  },
});

export const waitReducer = slice.reducer;
export const { waitNoticed, waitEnded } = slice.actions;

interface WithWait {
  readonly page: { readonly wait: WaitState };
}

export const selectIsSlow = ({ page }: WithWait, what: keyof WaitState): boolean => page.wait[what];

/** What the page waits for instead of showing a screen. A screen that has loaded is not shown before the session is known. */
export const selectWait = ({ page: { wait } }: WithWait): keyof WaitState | null =>
  wait.session ? 'session' : wait.screen ? 'screen' : null;
