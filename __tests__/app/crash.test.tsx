/** Tests supervise.saga. */
import { supervise } from '@app/crash/supervise.saga';
import { appCrashed, crashReducer, selectHasCrashed } from '@app/crash/crash.slice';
import { combineReducers, configureStore } from '@reduxjs/toolkit';
import createSagaMiddleware from 'redux-saga';
import { call, take } from 'typed-redux-saga';
import { fakeDeps } from '../support/fakeDeps';
import { openApp, settle } from '../support/openApp';
import { FatalNotice } from '@app/crash/Fallback.container';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';

const open = () => {
  const sagas = createSagaMiddleware();
  const store = configureStore({
    reducer: combineReducers({ page: combineReducers({ crash: crashReducer }) }),
    middleware: (defaults) => defaults().concat(sagas),
  });
  const deps = fakeDeps({ config: { reportsTo: 'https://reports.example.com/in' } });
  const { log } = deps;
  const worked: string[] = [];
  const feature = (name: string) =>
    function* () {
      for (;;) {
        yield* take(name);
        worked.push(name);
        if (worked.length > 10) throw new Error('never reached');
      }
    };
  const crashing = () =>
    function* () {
      yield* take('crash');
      worked.push('crashing');
      yield* call(() => {
        throw new Error('a bug');
      });
    };
  sagas.run(function* () {
    yield* call(supervise, deps, 'one', feature('one'));
    yield* call(supervise, deps, 'crashing', crashing());
    yield* call(supervise, deps, 'two', feature('two'));
  });
  return { store, log, worked, sendReport: deps.sendReport };
};

describe('a feature that crashes', () => {
  it('is reported with its name, and shows the fallback message', () => {
    const { store, log } = open();
    expect(selectHasCrashed(store.getState())).toBe(false);
    store.dispatch({ type: 'crash' });
    expect(selectHasCrashed(store.getState())).toBe(true);
    expect(log.errors).toEqual([{ event: 'saga crashed: crashing', error: new Error('a bug') }]);
  });

  it('is reported to the collector', async () => {
    const { store, sendReport } = open();
    store.dispatch({ type: 'crash' });
    await waitFor(() => expect(sendReport).toHaveBeenCalledTimes(1));
    expect(sendReport.mock.calls[0]?.[1]).toMatchObject({ where: 'crashing', name: 'Error' });
  });

  it('does not stop the others, and does not restart', () => {
    const { store, worked } = open();
    for (const type of ['one', 'crash', 'two', 'one', 'crash']) store.dispatch({ type });
    expect(worked).toEqual(['one', 'crashing', 'two', 'one']);
  });

  it('stays stopped', () => {
    expect(crashReducer(true, appCrashed())).toBe(true);
  });
});

describe('the application', () => {
  beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));

  it('shows the fallback message when a port fails at the start', async () => {
    const deps = fakeDeps();
    const broken = fakeDeps({
      overrides: {
        cookies: {
          ...deps.cookies,
          readAll: () => {
            throw new Error('SecurityError');
          },
        },
      },
    });
    const app = openApp(broken);
    await settle();
    expect(app.state().page.crash).toBe(true);
    expect(broken.log.errors.length).toBeGreaterThan(0);
  });
});

describe('the fatal notice', () => {
  const message = 'An unexpected error occurred. Please try again later. We apologize for the inconvenience.';

  it('shows its message at once, as the heading of the page', () => {
    render(<FatalNotice message={message} />);
    expect(screen.getByRole('alert')).toHaveTextContent(message);
    expect(screen.getByRole('heading', { level: 1, name: message })).toBeInTheDocument();
    expect(screen.queryByRole('button')).not.toBeInTheDocument();
  });

  it('has one action', async () => {
    const onClick = jest.fn();
    render(<FatalNotice message={message} action={{ label: 'Sign Out', onClick }} />);
    await userEvent.click(screen.getByRole('button', { name: 'Sign Out' }));
    expect(onClick).toHaveBeenCalledTimes(1);
  });
});
