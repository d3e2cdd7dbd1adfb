import { decodeRouteState } from '@shared/routing/room';

describe('what a navigation carries', () => {
  it('is a lockout message', () => {
    expect(decodeRouteState({ lockoutMessage: 'Too many failed login attempts', other: 1 })).toEqual({
      lockoutMessage: 'Too many failed login attempts',
    });
  });

  it.each([null, undefined, 1, 'text', [], { lockoutMessage: 7 }, { lockoutMessage: null }, { idx: 0 }])(
    'is nothing when the history holds %j',
    (state) => {
      expect(decodeRouteState(state).lockoutMessage).toBeUndefined();
    },
  );
});
