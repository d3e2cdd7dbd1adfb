import { createSlice, type PayloadAction } from '@reduxjs/toolkit';

/** The router's location as the store holds it: serialisable, link hashes and codes masked (decisions §10). */
export interface LocationState {
  readonly pathname: string;
  readonly search: string;
  readonly hash: string;
  /** Identifies the history entry. */
  readonly key: string;
}

const initialState: LocationState = { pathname: '/', search: '', hash: '', key: '' };

const slice = createSlice({
  name: 'location',
  initialState,
  reducers: {
    /** The address changed, whoever caused it. All route-entry work hangs on this event, never on a mount. */
    changed: (_state, { payload }: PayloadAction<LocationState>) => payload,
  },
});

export const locationReducer = slice.reducer;
export const { changed: locationChanged } = slice.actions;

/** The location that the screen is drawn from. */
export const selectLocation = (state: { readonly location: LocationState }): LocationState => state.location;
