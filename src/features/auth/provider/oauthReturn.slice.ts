import { createSlice } from '@reduxjs/toolkit';

/** `/oauth-redirect` in the pop-up: handing the code over, or done. */
export interface OauthReturnState {
  readonly phase: 'passing' | 'over';
}

const slice = createSlice({
  name: 'oauthReturn',
  initialState: (): OauthReturnState => ({ phase: 'passing' }),
  reducers: {
    /** The opener has answered, or there was nothing to hand over, or the time limit is over. */
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
