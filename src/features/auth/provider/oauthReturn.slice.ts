import { createSlice } from '@reduxjs/toolkit';

/** `/oauth-redirect`, inside the pop-up: handing the code over, or nothing more to do but close the window. */
export interface OauthReturnState {
  readonly phase: 'passing' | 'over';
}

const slice = createSlice({
  name: 'auth',
  initialState: (): OauthReturnState => ({ phase: 'passing' }),
  reducers: {
    /** The opener has the answer, or nobody does: the window can be closed. */
    oauthReturnEnded: (): OauthReturnState => ({ phase: 'over' }),
    /** The person asked for the window to be closed. */
    oauthWindowCloseRequested: (state) => state,
  },
});

export const oauthReturnReducer = slice.reducer;
export const { oauthReturnEnded, oauthWindowCloseRequested } = slice.actions;

/** State of the pop-up's page. */
export const selectOauthReturn = (state: {
  readonly auth: { readonly oauthReturn: OauthReturnState };
}): OauthReturnState => state.auth.oauthReturn;
