/** @jest-environment node */
import { rootReducer } from '@app/rootReducer';
import { startSession } from '@features/session';
import { expectSaga, type RunResult } from 'redux-saga-test-plan';
import { accessToken, tokenPair } from '../../support/builders';
import { fakeDeps } from '../../support/fakeDeps';

const initial = rootReducer(undefined, { type: 'test/opened' });

describe('starting a session', () => {
  it('writes the cookies, tells the parent, and lets the store know who is here', async () => {
    const deps = fakeDeps({ embedding: 'trusted' });
    const result: RunResult = await expectSaga(startSession, deps, tokenPair({ uid: 'u_7' }))
      .withReducer(rootReducer, initial)
      .put.actionType('session/sessionStarted')
      .run();
    expect(result.returnValue).toMatchObject({ kind: 'started', claims: { uid: 'u_7' } });
    expect(result.storeState).toMatchObject({
      session: { access: { phase: 'active', claims: { uid: 'u_7' } } },
    });
    expect(deps.parentFrame.told).toEqual(['new_tokens']);
    expect(Object.keys(deps.cookies.contents())).toEqual([
      'payments-test-session',
      'payments-test-session-refresh',
    ]);
  });

  it('keeps no cookie of somebody who reaches no application', async () => {
    const deps = fakeDeps();
    const tokens = { token: accessToken({ personas: { ledger: [] } }), refresh: 'r' };
    const result: RunResult = await expectSaga(startSession, deps, tokens)
      .withReducer(rootReducer, initial)
      .not.put.actionType('session/sessionStarted')
      .run();
    expect(result.returnValue).toEqual({ kind: 'noPersonas' });
    expect(deps.cookies.contents()).toEqual({});
  });
});
