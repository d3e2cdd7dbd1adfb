/** @jest-environment node */
import { askConfirm, dialogAnswered, dialogsReducer, selectTopDialog, showAlert } from '@features/ui-dialogs';
import { combineReducers, configureStore } from '@reduxjs/toolkit';
import createSagaMiddleware from 'redux-saga';

const question = {
  id: 'turn-off',
  title: 'Sure?',
  message: 'Really?',
  confirmLabel: 'Yes',
  cancelLabel: 'No',
};
const notice = { id: 'note', title: 'Note', message: 'Read this', confirmLabel: 'Ok' };

const open = () => {
  const sagas = createSagaMiddleware();
  const store = configureStore({
    reducer: combineReducers({ 'ui-dialogs': dialogsReducer }),
    middleware: (defaults) => defaults().concat(sagas),
  });
  return {
    run: sagas.run.bind(sagas),
    top: () => selectTopDialog(store.getState()),
    answer: (id: string, confirmed: boolean) => void store.dispatch(dialogAnswered({ id, confirmed })),
  };
};

describe('a confirmation dialog', () => {
  it.each([true, false])('is open until it is answered, and returns the answer %s', async (confirmed) => {
    const app = open();
    const task = app.run(askConfirm, question);
    const shown = app.top();
    expect(shown).toEqual({ ...question, kind: 'confirm' });
    app.answer('another', !confirmed);
    expect(app.top()).toBe(shown);
    app.answer('turn-off', confirmed);
    expect(await task.toPromise()).toBe(confirmed);
    expect(app.top()).toBeUndefined();
  });

  it('closes when the calling saga is cancelled', () => {
    const app = open();
    const task = app.run(askConfirm, question);
    task.cancel();
    expect(app.top()).toBeUndefined();
    expect(task.isCancelled()).toBe(true);
  });
});

describe('a notice', () => {
  it.each([true, false])(
    'behind another dialog waits for it, and ends when closed (%s)',
    async (confirmed) => {
      const app = open();
      const first = app.run(askConfirm, question);
      const second = app.run(showAlert, notice);
      expect(app.top()?.id).toBe('turn-off');
      app.answer('turn-off', true);
      expect(await first.toPromise()).toBe(true);
      expect(app.top()).toEqual({ ...notice, kind: 'alert' });
      app.answer('note', confirmed);
      await second.toPromise();
      expect(app.top()).toBeUndefined();
    },
  );

  it('with the same id replaces the one that is open', () => {
    const app = open();
    app.run(showAlert, notice);
    app.run(showAlert, { ...notice, message: 'Newer' });
    expect(app.top()?.message).toBe('Newer');
    app.answer('note', true);
    expect(app.top()).toBeUndefined();
  });
});
