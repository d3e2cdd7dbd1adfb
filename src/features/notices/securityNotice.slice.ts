import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { SecurityNotice as Notice } from './notices.calls';

/** The event that the user is asked about. */
type SecurityNotice = Omit<Notice, 'state'>;

/** State of `/security-notice/{hash}`. */
export type SecurityNoticeState =
  | { readonly phase: 'opening' }
  /** The page waits for a press (`oneTimeLinks: "click"`). */
  | { readonly phase: 'gate' }
  | { readonly phase: 'asking'; readonly notice: SecurityNotice }
  | { readonly phase: 'answering'; readonly notice: SecurityNotice; readonly mine: boolean }
  /** There was no response. `from` is the phase that 'Try Again' repeats. */
  | { readonly phase: 'unreached'; readonly from: SecurityNoticeState }
  /** The answer was 'Yes, It Was Me'. */
  | { readonly phase: 'confirmed' }
  /** The answer was 'No, Secure My Account', and the account has no password. */
  | { readonly phase: 'secured' };

const initialState: SecurityNoticeState = { phase: 'opening' };

const slice = createSlice({
  name: 'notices',
  initialState: (): SecurityNoticeState => initialState,
  reducers: {
    noticeEntered: (): SecurityNoticeState => ({ phase: 'opening' }),
    noticeGateShown: (): SecurityNoticeState => ({ phase: 'gate' }),
    /** The button was pressed. */
    noticeOpened: (): SecurityNoticeState => ({ phase: 'opening' }),
    noticeLoaded: (_state, { payload }: PayloadAction<SecurityNotice>): SecurityNoticeState => ({
      phase: 'asking',
      notice: payload,
    }),
    /** A button was pressed. */
    noticeAnswered: (state, { payload }: PayloadAction<{ readonly mine: boolean }>): SecurityNoticeState =>
      state.phase === 'asking' ? { phase: 'answering', notice: state.notice, ...payload } : state,
    noticeUnreached: (state): SecurityNoticeState => ({ phase: 'unreached', from: state }),
    noticeRetried: (state): SecurityNoticeState => (state.phase === 'unreached' ? state.from : state),
    /** The service has accepted the answer. */
    noticeClosed: (state): SecurityNoticeState =>
      state.phase === 'answering' ? { phase: state.mine ? 'confirmed' : 'secured' } : state,
  },
});

export const securityNoticeReducer = slice.reducer;
export const {
  noticeEntered,
  noticeGateShown,
  noticeOpened,
  noticeLoaded,
  noticeAnswered,
  noticeUnreached,
  noticeRetried,
  noticeClosed,
} = slice.actions;

/** The state of the screen. Before the slice exists it is the initial state. */
export const selectSecurityNotice = (state: {
  readonly notices?: SecurityNoticeState;
}): SecurityNoticeState => state.notices ?? initialState;
