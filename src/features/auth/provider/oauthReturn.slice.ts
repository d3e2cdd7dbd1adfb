import { createSlice } from '@reduxjs/toolkit';

/** `/oauth-redirect` in the pop-up: handing the code over, or done. */
interface OauthReturnState {
  readonly phase: 'passing' | 'over';
}

const slice = createSlice({
  name: 'oauthReturn',
  initialState: (): OauthReturnState => ({ phase: 'passing' }),
  reducers: {
    /** The opener has responded, or there was nothing to post, or the wait timed out. */
    oauthReturnEnded: (): OauthReturnState => ({ phase: 'over' }),
    /** 'Close Window' was pressed. */
    oauthWindowCloseRequested: (state) => state,
  },
});

export const oauthReturnReducer = slice.reducer;
export const { oauthReturnEnded, oauthWindowCloseRequested } = slice.actions;

/** State of `/oauth-redirect`. */
export const selectOauthReturn = (state: {
  readonly auth: { readonly oauthReturn: OauthReturnState };
}): OauthReturnState => state.auth.oauthReturn;
