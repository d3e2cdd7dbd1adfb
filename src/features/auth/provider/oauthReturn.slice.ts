import { createSlice } from '@reduxjs/toolkit';

/** `/oauth-redirect` in the provider window: it posts the code, or has finished. */
interface OauthReturnState {
  readonly phase: 'passing' | 'over';
}

const slice = createSlice({
  name: 'oauthReturn',
  initialState: (): OauthReturnState => ({ phase: 'passing' }),
  reducers: {
    /** The opener has replied, there was nothing to post, or the time limit has passed. */
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
