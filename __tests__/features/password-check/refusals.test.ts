/** @jest-environment node */
import { identityPasswordSubmitted } from '@features/auth/verify-identity/verification.slice';
import { ApiError } from '@shared/api/apiError';
import { openForm } from '../password/save/openForm';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));

const ownWords = [
  ['password_breached', 'This password appeared in a data breach. Choose another one.'],
  ['password_guessable', 'This password is too easy to guess. Choose another one.'],
] as const;
const forms = [
  ['/reset-password/h-1', false, 'reset', 'server words'],
  ['/reset?hash=h-1', true, 'reset', 'server words'],
  ['/activate/h-1', false, 'activate', 'server words'],
  ['/reset-password-verify', true, 'change', 'There was an error resetting your password.'],
] as const;

describe.each(forms)('the form of %s', (path, signedIn, call, otherwise) => {
  it.each(ownWords)('shows its own words for %s only with the extension', async (serverCode, words) => {
    const error = new ApiError('server', { status: 422, serverMessage: 'server words', serverCode });
    for (const [extensions, message] of [
      [['password-check'], words],
      [[], otherwise],
    ] as const) {
      const app = await openForm(path, { signedIn, config: { extensions } });
      if (call === 'change') await app.send(identityPasswordSubmitted('Old-door77'));
      app.deps.api.password[call].mockRejectedValueOnce(error);
      await app.submit('Front-door7');
      expect(app.form()).toMatchObject({ error: { at: 'form', message } });
    }
  });
});
