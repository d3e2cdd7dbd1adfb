import { PhoneEnrolment } from '@features/mfa/enrolment/phone/PhoneEnrolment';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ComponentProps } from 'react';
import { renderView } from '../../../support/renderView';

type Props = ComponentProps<typeof PhoneEnrolment>;

const act = {
  onEdited: jest.fn<undefined, Parameters<Props['onEdited']>>(),
  onRefused: jest.fn<undefined, Parameters<Props['onRefused']>>(),
  onSubmit: jest.fn<undefined, Parameters<Props['onSubmit']>>(),
};
beforeEach(() => {
  for (const spy of Object.values(act)) spy.mockReset();
});

const given = (changes: Partial<Props> = {}): Props => ({
  entry: { country: 'US', text: '' },
  refused: false,
  busy: false,
  takesFocus: true,
  onEdited: act.onEdited,
  onRefused: act.onRefused,
  onSubmit: act.onSubmit,
  ...changes,
});
const show = (changes: Partial<Props> = {}) => renderView(<PhoneEnrolment {...given(changes)} />);

const field = () => screen.getByLabelText<HTMLInputElement>('Phone number');
const country = () => screen.getByLabelText<HTMLSelectElement>('Country');
const submit = () => screen.getByRole('button', { name: 'Continue' });

describe('the phone step', () => {
  it('has the specified texts, and the US as default country', () => {
    show();
    expect(screen.getByRole('heading', { level: 1, name: 'Enable 2-Step Verification' })).toBeVisible();
    expect(screen.getByRole('heading', { level: 2, name: "Let's set up your phone" })).toBeVisible();
    expect(screen.getByText('Step 1 of 2')).toBeVisible();
    expect(screen.getByText('Standard text message rates may apply.')).toBeVisible();
    expect(screen.getByPlaceholderText('Enter Phone Number')).toBe(field());
    expect(country()).toHaveDisplayValue('United States (+1)');
    expect(field()).toHaveFocus();
    expect(field()).toHaveAttribute('type', 'tel');
    expect(field().maxLength).toBeGreaterThan(15);
  });

  it('has a link back to the settings', () => {
    show();
    expect(screen.getByRole('link', { name: 'Account Settings' })).toHaveAttribute(
      'href',
      '/account-settings',
    );
  });

  it('enables Continue once something is typed', async () => {
    show();
    expect(submit()).toBeDisabled();
    await userEvent.type(field(), '2');
    expect(submit()).toBeEnabled();
  });

  it('loses no digit while typing, and formats the number on blur', async () => {
    show();
    await userEvent.type(field(), '2025550143');
    expect(field()).toHaveValue('2025550143');
    await userEvent.tab();
    expect(field()).toHaveValue('(202) 555-0143');
    expect(act.onEdited).toHaveBeenCalledWith({ country: 'US', text: '(202) 555-0143' });
  });

  it('sets the country from a pasted number', async () => {
    show();
    await userEvent.click(field());
    await userEvent.paste('+44 7700 900123');
    expect(country()).toHaveDisplayValue('United Kingdom (+44)');
    await userEvent.click(submit());
    expect(act.onSubmit.mock.calls).toEqual([
      [
        { country: 'GB', text: '07700 900123' },
        { phone: '+447700900123', countryCode: 'GB' },
      ],
    ]);
  });

  it('reads a national number in the chosen country', async () => {
    show();
    await userEvent.selectOptions(country(), 'GB');
    expect(act.onEdited).toHaveBeenLastCalledWith({ country: 'GB', text: '' });
    await userEvent.type(field(), '07700 900123{Enter}');
    expect(act.onSubmit.mock.calls[0]?.[1]).toEqual({ phone: '+447700900123', countryCode: 'GB' });
  });

  it.each(['12345', '+33 6 12 34 56 78', 'not a number'])('shows an error for %j', async (text) => {
    show();
    await userEvent.type(field(), text);
    await userEvent.click(submit());
    expect(act.onSubmit).not.toHaveBeenCalled();
    expect(act.onRefused.mock.calls).toEqual([[{ country: 'US', text }]]);
    expect(field()).toHaveFocus();
  });

  it('shows the error at the field until it is changed', async () => {
    show({ refused: true, entry: { country: 'US', text: '12345' } });
    expect(field()).toBeInvalid();
    expect(field()).toHaveAccessibleDescription(/Please enter a phone number/);
    await userEvent.type(field(), '6');
    expect(act.onEdited).toHaveBeenCalledWith({ country: 'US', text: '123456' });
  });

  it('shows the earlier input', () => {
    show({ entry: { country: 'GB', text: '07700 900123' } });
    expect(field()).toHaveValue('07700 900123');
    expect(country()).toHaveDisplayValue('United Kingdom (+44)');
    expect(submit()).toBeEnabled();
  });

  it('submits nothing while a call is in progress', async () => {
    show({ busy: true, entry: { country: 'US', text: '(202) 555-0143' } });
    expect(submit()).toBeDisabled();
    await userEvent.type(field(), '9{Enter}');
    expect(field()).toHaveValue('(202) 555-0143');
    expect(act.onSubmit).not.toHaveBeenCalled();
  });
});
