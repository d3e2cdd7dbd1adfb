/** @jest-environment node */
import {
  askConfirm,
  dialogAnswered,
  dialogOpened,
  dialogsReducer,
  selectTopDialog,
  showAlert,
  type DialogState,
} from '@features/ui-dialogs';
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
    reducer: combineReducers({ dialogs: dialogsReducer }),
    middleware: (defaults) => defaults().concat(sagas),
  });
  return {
    run: sagas.run.bind(sagas),
    dispatch: store.dispatch,
    top: (): DialogState | undefined => selectTopDialog(store.getState()),
    answer: (id: string, confirmed: boolean) => void store.dispatch(dialogAnswered({ id, confirmed })),
  };
};

describe('a question', () => {
  it.each([true, false])('is open until it is answered, and the answer %s comes back', async (confirmed) => {
    const app = open();
    const task = app.run(askConfirm, question);
    expect(app.top()).toEqual({ ...question, kind: 'confirm' });
    app.answer('turn-off', confirmed);
    expect(await task.toPromise()).toBe(confirmed);
    expect(app.top()).toBeUndefined();
  });

  it('is not answered by the answer to another one', () => {
    const app = open();
    const task = app.run(askConfirm, question);
    app.answer('another', true);
    expect(task.isRunning()).toBe(true);
    expect(app.top()?.id).toBe('turn-off');
  });

  it('closes when whoever asked is cancelled, and nobody gets an answer', () => {
    const app = open();
    const task = app.run(askConfirm, question);
    task.cancel();
    expect(app.top()).toBeUndefined();
    expect(task.isCancelled()).toBe(true);
  });

  it('asked behind another waits its turn', async () => {
    const app = open();
    const first = app.run(askConfirm, question);
    const second = app.run(showAlert, notice);
    expect(app.top()?.id).toBe('turn-off');
    app.answer('turn-off', true);
    expect(await first.toPromise()).toBe(true);
    expect(app.top()).toEqual({ ...notice, kind: 'alert' });
    app.answer('note', true);
    await second.toPromise();
    expect(app.top()).toBeUndefined();
  });
});

describe('a notice', () => {
  it.each([true, false])('is over once it was read, whichever way it was closed (%s)', async (confirmed) => {
    const app = open();
    const task = app.run(showAlert, notice);
    app.answer('note', confirmed);
    await task.toPromise();
    expect(app.top()).toBeUndefined();
  });

  it('of the same name replaces the one that is open', () => {
    const app = open();
    app.run(showAlert, notice);
    app.run(showAlert, { ...notice, message: 'Newer' });
    expect(app.top()?.message).toBe('Newer');
    app.answer('note', true);
    expect(app.top()).toBeUndefined();
  });
});

describe('an answer to nothing', () => {
  it('changes nothing', () => {
    const before = dialogsReducer(undefined, dialogOpened({ ...notice, kind: 'alert' }));
    expect(dialogsReducer(before, dialogAnswered({ id: 'other', confirmed: true }))).toBe(before);
  });
});
