import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import { locationChanged } from '../routing/location.slice';
import { readBrandQuery, type BrandFacts } from './brand';

const initialState: BrandFacts = { supplierHub: false, application: null, supplierHost: false };

const slice = createSlice({
  name: 'brand',
  initialState,
  reducers: {
    /** The page opened, on one of `supplierHosts` or another host, in the look that its tab had before. */
    hostRecognised: (
      facts,
      { payload }: PayloadAction<Pick<BrandFacts, 'supplierHost'> & Partial<BrandFacts>>,
    ) => ({
      ...facts,
      ...payload,
    }),
  },
  extraReducers: (builder) => {
    // The look stays until another query changes it.
    builder.addCase(locationChanged, (facts, { payload }) => ({
      ...facts,
      ...readBrandQuery(payload.search),
    }));
  },
});

export const brandReducer = slice.reducer;
export const { hostRecognised } = slice.actions;

/** The facts that decide the look. */
export const selectBrandFacts = (state: { readonly page: { readonly brand: BrandFacts } }): BrandFacts =>
  state.page.brand;
