import { createSlice, type PayloadAction } from '@reduxjs/toolkit';

/** A dialog that is open or waiting its turn. Plain data: whoever asked waits in a saga, not in a callback. */
export interface DialogState {
  /** Names the question; a second one of the same name replaces the first. */
  readonly id: string;
  readonly kind: 'alert' | 'confirm';
  readonly title: string;
  readonly message: string;
  readonly confirmLabel: string;
  readonly cancelLabel?: string;
  /** `danger`: what is confirmed takes something away. */
  readonly tone?: 'danger';
}

/** How a dialog ended: the confirming button, or Cancel, Esc and the like. */
export interface DialogAnswer {
  readonly id: string;
  readonly confirmed: boolean;
}

const initialState: readonly DialogState[] = [];

const slice = createSlice({
  name: 'dialogs',
  initialState,
  reducers: {
    dialogOpened: (dialogs, { payload }: PayloadAction<DialogState>) => [
      ...dialogs.filter(({ id }) => id !== payload.id),
      payload,
    ],
    dialogAnswered: (dialogs, { payload }: PayloadAction<DialogAnswer>) =>
      dialogs.some(({ id }) => id === payload.id) ? dialogs.filter(({ id }) => id !== payload.id) : dialogs,
  },
});

export const dialogsReducer = slice.reducer;
export const { dialogOpened, dialogAnswered } = slice.actions;

/** The dialog on top: the one opened first is answered first. */
export const selectTopDialog = (state: {
  readonly dialogs: readonly DialogState[];
}): DialogState | undefined => state.dialogs[0];
