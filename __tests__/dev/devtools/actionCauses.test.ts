/** @jest-environment node */
import { actionCauses } from '@dev/devtools/actionCauses';
import { fakeDeps } from '../../support/fakeDeps';

const { warmUp: _notACall, ...groups } = fakeDeps().api;

it.each(Object.keys(groups))(
  'DevTools names the service as the cause of a response to a call of %s',
  async (group) => {
    const deps = fakeDeps();
    const causes = actionCauses();
    const ofSaga = { type: 'session/sessionAbsent', '@@redux-saga/SAGA_ACTION': true };
    const { api } = causes.watch(deps);
    const { anyCall } = api[group as 'auth'] as unknown as { readonly anyCall: () => Promise<unknown> };
    const { anyCall: arranged } = deps.api[group as 'auth'] as unknown as { readonly anyCall: jest.Mock };
    arranged.mockResolvedValue('response');
    expect(causes.of({ type: 'signIn/usernameSubmitted' })).toBe('user');
    const response = anyCall();
    expect(causes.of(ofSaga)).toBe('user');
    await expect(response).resolves.toBe('response');
    expect(causes.of(ofSaga)).toBe('service');
  },
);
