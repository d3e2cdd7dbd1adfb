import {
  sessionAdopted,
  sessionEndAnnounced,
  sessionRefreshed,
  sessionRestored,
  sessionStarted,
  type EndReason,
} from '@features/session';
import { createSlice, isAnyOf } from '@reduxjs/toolkit';
import { usernameEditStarted } from '@shared/slots';

/** Whether `/login` says why the session ended. */
export type EndNoticeState =
  { readonly phase: 'none' } | { readonly phase: 'announced'; readonly reason: EndReason };

const none = (): EndNoticeState => ({ phase: 'none' });

const slice = createSlice({
  name: 'events',
  initialState: none,
  reducers: {},
  extraReducers: (builder) => {
    builder.addCase(sessionEndAnnounced, (_state, { payload }): EndNoticeState => ({
      phase: 'announced',
      reason: payload.reason,
    }));
    // The session goes on, or another one has begun.
    builder.addMatcher(
      isAnyOf(usernameEditStarted, sessionStarted, sessionRestored, sessionRefreshed, sessionAdopted),
      none,
    );
  },
});

export const endNoticeReducer = slice.reducer;

export const selectEndNotice = (state: { readonly events: EndNoticeState }): EndNoticeState => state.events;
