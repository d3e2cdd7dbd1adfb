import { PasswordSection } from '@features/password/PasswordSection';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { renderView } from '../../support/renderView';

const onChange = jest.fn<undefined, []>();
const onTryAgain = jest.fn<undefined, []>();
beforeEach(() => {
  onChange.mockReset();
  onTryAgain.mockReset();
});

const section = () => within(screen.getByRole('region', { name: 'Password' }));

describe('the password section', () => {
  // In the user's time zone.
  it.each([
    [new Date(2026, 2, 5, 9, 7), 'March 5th, 2026 at 9:07 am'],
    [new Date(2026, 0, 1, 23, 30), 'January 1st, 2026 at 11:30 pm'],
    [new Date(2025, 6, 3, 12, 0), 'July 3rd, 2025 at 12:00 pm'],
  ])('shows when the password was last changed, as text and as datetime: %s', (changed, text) => {
    const at = changed.toISOString();
    renderView(<PasswordSection lastChange={{ kind: 'changed', at }} />);
    expect(section().getByText(text)).toHaveAttribute('datetime', at);
  });

  it('offers to change it if that is possible', async () => {
    const { rerender } = renderView(<PasswordSection lastChange={{ kind: 'never' }} />);
    expect(section().queryByRole('button')).not.toBeInTheDocument();
    rerender(<PasswordSection lastChange={{ kind: 'never' }} onChange={onChange} />);
    await userEvent.click(section().getByRole('button', { name: 'Change Password' }));
    expect(onChange).toHaveBeenCalledTimes(1);
  });

  it('shows that it is loading', () => {
    renderView(<PasswordSection lastChange={{ kind: 'loading' }} />);
    expect(section().getByRole('status')).toHaveTextContent('Loading the date of your last password change');
  });

  it('shows no date if it could not be loaded, and offers to try again', async () => {
    renderView(<PasswordSection lastChange={{ kind: 'failed' }} onTryAgain={onTryAgain} />);
    expect(section().getByRole('alert')).toHaveTextContent(/could not be loaded/);
    expect(section().queryByText('You have never changed your password')).not.toBeInTheDocument();
    await userEvent.click(section().getByRole('button', { name: 'Try Again' }));
    expect(onTryAgain).toHaveBeenCalledTimes(1);
  });
});
