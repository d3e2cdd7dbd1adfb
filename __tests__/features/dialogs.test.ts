/** @jest-environment node */
/** Tests askConfirm.saga. */
import { rootReducer } from '@app/rootReducer';
import { askConfirm, dialogAnswered, selectTopDialog, showAlert } from '@features/ui-dialogs';
import { expectSaga, type RunResult } from 'redux-saga-test-plan';
import { all, call, cancel, fork, type SagaGenerator } from 'typed-redux-saga';

const question = {
  id: 'turn-off',
  title: 'Sure?',
  message: 'Really?',
  confirmLabel: { id: 'yes' },
  cancelLabel: { id: 'no' },
};
const notice = { id: 'note', title: 'Note', message: 'Read this', confirmLabel: { id: 'ok' } };

/** Runs the saga to its end, which its answers may bring. */
const open = (saga: () => SagaGenerator<unknown>) => {
  let state = rootReducer(undefined, { type: 'test/opened' });
  const running = expectSaga(saga).withReducer((before: typeof state | undefined, action) => {
    state = rootReducer(before, action);
    return state;
  }, state);
  return {
    ended: running.run(false).then((result: RunResult): unknown => result.returnValue),
    top: () => selectTopDialog(state),
    answer: (id: string, confirmed: boolean) => void running.dispatch(dialogAnswered({ id, confirmed })),
  };
};

describe('a confirmation dialog', () => {
  it.each([true, false])('is open until it is answered, and returns the answer %s', async (confirmed) => {
    const app = open(() => askConfirm(question));
    const shown = app.top();
    expect(shown).toEqual({ ...question, kind: 'confirm' });
    app.answer('another', !confirmed);
    expect(app.top()).toBe(shown);
    app.answer('turn-off', confirmed);
    expect(await app.ended).toBe(confirmed);
    expect(app.top()).toBeUndefined();
  });

  it('closes when the calling saga is cancelled', async () => {
    const app = open(function* () {
      const asked = yield* fork(askConfirm, question);
      yield* cancel(asked);
      return asked.isCancelled();
    });
    expect(await app.ended).toBe(true);
    expect(app.top()).toBeUndefined();
  });
});

describe('a notice', () => {
  it.each([true, false])('behind another dialog waits for it, and can be closed (%s)', async (confirmed) => {
    const app = open(() => all([call(askConfirm, question), call(showAlert, notice)]));
    expect(app.top()?.id).toBe('turn-off');
    app.answer('turn-off', true);
    expect(app.top()).toEqual({ ...notice, kind: 'alert' });
    app.answer('note', confirmed);
    expect(await app.ended).toEqual([true, undefined]);
    expect(app.top()).toBeUndefined();
  });

  it('with the same id replaces the one that is open', async () => {
    const newer = { ...notice, message: 'Newer' };
    const app = open(() => all([call(showAlert, notice), call(showAlert, newer)]));
    expect(app.top()?.message).toBe('Newer');
    app.answer('note', true);
    expect(app.top()).toBeUndefined();
    await app.ended;
  });
});
