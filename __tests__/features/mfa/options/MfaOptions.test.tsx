import { MfaOptions } from '@features/mfa/options/MfaOptions';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';

const onChoose = jest.fn<undefined, ['sms' | 'qrcode']>();
const onFollow = jest.fn<undefined, []>();
beforeEach(() => {
  onChoose.mockReset();
  onFollow.mockReset();
});

const show = (takesFocus = true) =>
  render(
    <MfaOptions takesFocus={takesFocus} back={{ href: '/account-settings', onFollow }} onChoose={onChoose} />,
  );

describe('the choice of a method', () => {
  it('offers the authenticator app first, as recommended, and text messages', async () => {
    show();
    expect(screen.getByRole('heading', { level: 1, name: 'Enable 2-Step Verification' })).toHaveFocus();
    const [app, sms, ...others] = screen.getAllByRole('button');
    expect(others).toEqual([]);
    expect(app).toHaveAccessibleName('Authenticator App recommended');
    expect(sms).toHaveAccessibleName('SMS Text Message');
    await userEvent.click(screen.getByRole('button', { name: /Authenticator App/ }));
    await userEvent.click(screen.getByRole('button', { name: 'SMS Text Message' }));
    expect(onChoose.mock.calls).toEqual([['qrcode'], ['sms']]);
  });

  it('leads back to the settings', async () => {
    show();
    await userEvent.click(screen.getByRole('link', { name: 'Account Settings' }));
    expect(onFollow).toHaveBeenCalledTimes(1);
  });

  it('takes no focus in a parent’s frame', () => {
    show(false);
    expect(document.body).toHaveFocus();
  });
});
