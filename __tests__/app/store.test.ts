import { redactSecrets } from '@app/store';
import { configureStore } from '@reduxjs/toolkit';

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
