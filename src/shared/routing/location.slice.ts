import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import { paths, type RouteName } from '@vestibule/contract/paths';

/** The router's location as the store holds it: serialisable, link hashes and codes masked (docs/behaviour.md#addresses-in-the-store). */
interface LocationState {
  /** `null`: no known route. */
  readonly route: RouteName | null;
  readonly pathname: string;
  readonly search: string;
  /** Identifies the history entry. */
  readonly key: string;
}

/** Before the first address, which arrives before the first paint in a browser; also used for pre-rendering. */
const initialState: LocationState = { route: 'login', pathname: paths.login(), search: '', key: '' };

const slice = createSlice({
  name: 'location',
  initialState,
  reducers: {
    /** The address changed, for any reason. */
    locationChanged: (_state, { payload }: PayloadAction<LocationState>) => payload,
    /** A link within the application was followed; `app/runRoutes.saga.ts` writes it to the history. */
    linkFollowed: (state, _action: PayloadAction<{ readonly to: string }>) => state,
  },
});

export const locationReducer = slice.reducer;
export const { locationChanged, linkFollowed } = slice.actions;

/** The location that the screen is drawn from. */
export const selectLocation = (state: { readonly location: LocationState }): LocationState => state.location;
