/** @jest-environment node */
import { createSlice } from '@reduxjs/toolkit';

const slice = createSlice({
  name: 'list',
  initialState: { entries: [{ name: 'a' }] },
  reducers: {
    replaced: () => ({ entries: [{ name: 'b' }] }),
    kept: (state) => state,
    nothingReturned: () => undefined,
    written: (state) => {
      state.entries[0] = { name: 'c' };
    },
  },
});
const { replaced, kept, nothingReturned, written } = slice.actions;
const initial = slice.reducer(undefined, { type: 'init' });

it('gives the state that a reducer returns, or the one before', () => {
  expect(slice.reducer(initial, replaced())).toEqual({ entries: [{ name: 'b' }] });
  expect(slice.reducer(initial, kept())).toBe(initial);
  expect(slice.reducer(initial, nothingReturned())).toBe(initial);
});

it('freezes every state, with all that it holds', () => {
  for (const state of [initial, slice.reducer(initial, replaced())]) {
    expect(Object.isFrozen(state)).toBe(true);
    expect(Object.isFrozen(state.entries[0])).toBe(true);
  }
});

it('lets no reducer write to its state', () => {
  expect(() => slice.reducer(initial, written())).toThrow(TypeError);
  const given = { entries: [{ name: 'not frozen before' }] };
  expect(() => slice.reducer(given, written())).toThrow(TypeError);
});
