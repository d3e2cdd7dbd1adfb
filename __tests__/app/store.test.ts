import { recording } from '../support/devToolsRecorder';
import { createLiveState, redactSecrets } from '@app/store';
import { configureStore, createSlice } from '@reduxjs/toolkit';
import createSagaMiddleware from 'redux-saga';
import { select, takeEvery } from 'typed-redux-saga';

describe('the live state', () => {
  const counter = createSlice({
    name: 'counter',
    initialState: 0,
    reducers: { counted: (state) => state + 1 },
  });
  const { counted } = counter.actions;

  /** A store under DevTools, with a saga that records what it selects after every event. */
  function openStore() {
    const sagas = createSagaMiddleware();
    const live = createLiveState(counter.reducer);
    const store = configureStore({
      reducer: counter.reducer,
      middleware: (defaults) => defaults({ thunk: false }).concat(live.seenBy(sagas), live.fold),
      devTools: true,
    });
    const selected: number[] = [];
    sagas.run(function* () {
      yield* takeEvery('*', function* () {
        selected.push(yield* select((state: number) => state));
      });
    });
    return { store, selected };
  }

  it('a saga selects the live state while DevTools shows the past', () => {
    const { store, selected } = openStore();
    for (let times = 0; times < 3; times += 1) store.dispatch(counted());
    recording.jumpTo(1);
    expect(store.getState()).toBe(1);
    store.dispatch({ type: 'elsewhere' });
    expect(selected.at(-1)).toBe(3);
    store.dispatch(counted());
    expect(selected.at(-1)).toBe(4);
    recording.jumpToEnd();
    expect(store.getState()).toBe(4);
  });

  it('an event that a subscriber dispatches is applied after the current one', () => {
    const { store, selected } = openStore();
    const stop = store.subscribe(() => {
      stop();
      store.dispatch(counted());
    });
    store.dispatch(counted());
    expect(selected).toEqual([2, 2]);
  });
});

describe('redacted secrets', () => {
  const record = () => {
    const reached: unknown[] = [];
    const store = configureStore({
      reducer: (state: number | undefined, action: unknown) => {
        reached.push(action);
        return state ?? 0;
      },
      middleware: (defaults) =>
        defaults({ thunk: false, serializableCheck: false, immutableCheck: false }).concat(redactSecrets),
    });
    return { dispatch: (action: { type: string }) => store.dispatch(action), last: () => reached.at(-1) };
  };

  describe('what reducers and DevTools receive of an action', () => {
    it.each(['s3cret', { code: 's3cret' }, ''])('is without its secret %j', (secret) => {
      const { dispatch, last } = record();
      dispatch({ type: 'x', ...{ payload: 1, meta: { secret, other: 2 } } });
      expect(last()).toEqual({ type: 'x', payload: 1, meta: { secret: '[redacted]', other: 2 } });
    });

    it('is the same action when it has no secret', () => {
      const { dispatch, last } = record();
      for (const meta of [undefined, null, 'text', {}, { other: 2 }]) {
        const action = { type: 'x', meta };
        dispatch(action);
        expect(last()).toBe(action);
      }
    });

    it('is a copy: the caller’s action is unchanged', () => {
      const action = { type: 'x', meta: { secret: 's3cret' } };
      record().dispatch(action);
      expect(action.meta.secret).toBe('s3cret');
    });
  });
});
