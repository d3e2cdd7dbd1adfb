/** @jest-environment node */
import { phoneRefused, phoneSubmitted } from '@features/mfa/enrolment/enrolment.slice';
import { ApiError } from '@shared/api/apiError';
import { fallback } from '../../auth/sign-in/openWith';
import { ada, begin, sendPhone } from './openEnrolment';
import { later } from '../../../support/later';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));

describe('setting up a phone', () => {
  it('follows the verification of the identity, which it replaces in the history', async () => {
    const app = await begin('text');
    expect(app.address()).toBe('/authy-collect-info/u_1');
    expect(app.deps.navigation.replaces.at(-1)).toBe('/authy-collect-info/u_1');
    expect(app.setup()).toEqual({
      phase: 'phone',
      method: 'text',
      entry: { country: 'US', text: '' },
      refused: false,
    });
  });

  it('sends the number with the proof and only these keys, and goes on to the code', async () => {
    const app = await begin('text');
    await sendPhone(app);
    expect(app.deps.api.mfa.addPhone.mock.calls).toEqual([
      [app.bearer, { phone: '+12025550143', countryCode: 'US', authVerificationToken: 'vt_1' }],
    ]);
    expect(app.deps.navigation.pushes.at(-1)).toBe('/verification/u_1/');
    expect(app.setup()).toMatchObject({ phase: 'code', method: 'text', lastFourPhone: '0143' });
  });

  it('submitted twice, it is one call', async () => {
    const app = await begin('text');
    app.dispatch(phoneSubmitted(ada));
    await app.send(phoneSubmitted(ada));
    expect(app.deps.api.mfa.addPhone).toHaveBeenCalledTimes(1);
  });

  it('input that is not a number makes no call and is marked', async () => {
    const app = await begin('text');
    await app.send(phoneRefused({ country: 'GB', text: '12' }));
    expect(app.setup()).toMatchObject({ entry: { country: 'GB', text: '12' }, refused: true });
    expect(app.deps.api.mfa.addPhone).not.toHaveBeenCalled();
  });
});

describe('the number is rejected', () => {
  it.each([
    [
      'the server’s message',
      new ApiError('server', { status: 400, serverMessage: 'No mobile' }),
      'No mobile',
    ],
    ['the fallback message', new ApiError('network'), fallback],
  ])('%s is shown in a dialog, and the number can be submitted again', async (_whose, error, message) => {
    const app = await begin('text');
    app.deps.api.mfa.addPhone.mockRejectedValueOnce(error);
    await sendPhone(app);
    expect(app.dialog()).toMatchObject({ title: 'Setup Error', message, confirmLabel: 'Ok' });
    expect(app.setup()).toMatchObject({ phase: 'phone', entry: ada.entry, refused: false });
    expect(app.address()).toBe('/authy-collect-info/u_1');
    app.answerDialog(true);
    await sendPhone(app);
    expect(app.address()).toBe('/verification/u_1/');
  });

  it('a number that is submitted again behind the dialog is not lost', async () => {
    const app = await begin('text');
    app.deps.api.mfa.addPhone.mockRejectedValueOnce(new ApiError('network'));
    await sendPhone(app);
    expect(app.dialog()).toBeDefined();
    await sendPhone(app);
    expect(app.address()).toBe('/verification/u_1/');
  });

  it('its dialog closes with the screen', async () => {
    const app = await begin('text');
    app.deps.api.mfa.addPhone.mockRejectedValueOnce(new ApiError('network'));
    await sendPhone(app);
    await app.go('/account-settings');
    expect(app.dialog()).toBeUndefined();
  });
});

it.each(['/account-settings', '/ask-password/enable'])(
  'an answer after leaving for %s does not navigate',
  async (to) => {
    const app = await begin('text');
    const pending = later(app.deps.api.mfa.addPhone);
    await sendPhone(app);
    await app.go(to);
    await pending.answer({ lastFourPhone: '0143' });
    expect(app.address()).toBe(to);
    expect(app.setup().phase).not.toBe('code');
  },
);

it('a submitted number is filled in when the user comes back', async () => {
  const app = await begin('text');
  await sendPhone(app);
  await app.go('/authy-collect-info/u_1');
  expect(app.setup()).toEqual({ phase: 'phone', method: 'text', entry: ada.entry, refused: false });
});
