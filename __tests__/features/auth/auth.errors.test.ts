/** @jest-environment node */
import { describeTokenError } from '@features/auth/auth.errors';
import type { LoginMethodName } from '@shared/api/api';
import { ApiError } from '@shared/api/apiError';

const basicDefault =
  'We were unable to match the User ID and password you entered. Please check your entries and try again.';
const providerDefault = 'Your account has no access';

describe('the words for a failed sign-in', () => {
  it.each<readonly [LoginMethodName, string]>([
    ['basic', basicDefault],
    ['google', providerDefault],
    ['microsoft', providerDefault],
  ])('of %s are the server’s own, or else the method’s', (method, words) => {
    const said = new ApiError('server', { status: 401, serverMessage: 'Account locked until noon' });
    expect(describeTokenError(said, method)).toBe('Account locked until noon');
    for (const error of [
      new ApiError('server', { status: 500 }),
      new ApiError('unexpected', { status: 200 }),
      new ApiError('network'),
      new ApiError('timeout'),
      null,
    ])
      expect(describeTokenError(error, method)).toBe(words);
  });
});
