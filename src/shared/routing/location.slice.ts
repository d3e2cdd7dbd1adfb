import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import { paths } from '@vestibule/contract/paths';

/** The router's location as the store holds it: serialisable, link hashes and codes masked (docs/behaviour.md#addresses-in-the-store). */
interface LocationState {
  /** The name of the route; `null` for an unknown address. */
  readonly route: string | null;
  readonly pathname: string;
  readonly search: string;
  /** Identifies the history entry. */
  readonly key: string;
}

/** The location before the first `locationChanged`, with which the build renders `/login`. */
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
export const selectLocation = (state: {
  readonly page: { readonly location: LocationState };
}): LocationState => state.page.location;

/** Replaces a secret of the address in the store. The masked path matches the same route. */
export const mask = '***';

/** Whether a one-time link is open: only its address ends with a secret. */
export function selectIsAtLink(state: Parameters<typeof selectLocation>[0]): boolean {
  const { route, pathname } = selectLocation(state);
  return route !== null && pathname.endsWith(`/${mask}`);
}
