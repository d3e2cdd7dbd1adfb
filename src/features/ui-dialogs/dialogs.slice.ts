import type { MessageDescriptor } from '@lingui/core';
import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { Trouble } from '@shared/api/apiError';
import type { Text } from '@shared/texts';

/** A dialog that is open, or queued behind another one. */
export interface DialogState {
  /** A second dialog with the same id replaces the first. */
  readonly id: string;
  readonly kind: 'alert' | 'confirm';
  /** The values of texts are names. */
  readonly title: Text;
  readonly message: Text;
  /** Shown as a second line. */
  readonly trouble?: Trouble;
  readonly confirmLabel: MessageDescriptor;
  readonly cancelLabel?: MessageDescriptor;
  /** `danger`: the confirmed action removes something. */
  readonly tone?: 'danger';
}

/** What a dialog says about a failure. */
export type Failure = Pick<DialogState, 'message' | 'trouble'>;

/** `confirmed` is `true` for the confirming button, and `false` for Cancel and Esc. */
interface DialogAnswer {
  readonly id: string;
  readonly confirmed: boolean;
}

const initialState: readonly DialogState[] = [];

const slice = createSlice({
  name: 'ui-dialogs',
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
  readonly 'ui-dialogs': readonly DialogState[];
}): DialogState | undefined => state['ui-dialogs'][0];
