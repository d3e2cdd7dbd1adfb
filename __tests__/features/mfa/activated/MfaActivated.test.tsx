import { MfaActivated } from '@features/mfa/activated/MfaActivated';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';

const go = jest.fn<undefined, []>();
beforeEach(() => void go.mockReset());

const done = { kind: 'done', href: '/account-settings', onFollow: go } as const;

describe('the confirmation of the enrolment', () => {
  it('by text message, to a phone whose last digits are known or not', () => {
    const { rerender } = render(<MfaActivated method="text" lastFourPhone={null} takesFocus next={done} />);
    expect(screen.getByRole('heading', { level: 1, name: '2-Step Verification is on' })).toHaveFocus();
    expect(screen.getByText(/by text message/)).toBeVisible();
    expect(screen.queryByText(/ends in/)).not.toBeInTheDocument();
    rerender(<MfaActivated method="text" lastFourPhone="0143" takesFocus next={done} />);
    expect(screen.getByText('Your phone number ends in 0143.')).toBeVisible();
  });

  it('by authenticator app, without mention of a phone', () => {
    render(<MfaActivated method="app" lastFourPhone="0143" takesFocus next={done} />);
    expect(screen.getByText(/authenticator app/)).toBeVisible();
    expect(screen.queryByText(/0143/)).not.toBeInTheDocument();
  });

  it('has a link to the settings', async () => {
    render(<MfaActivated method="text" lastFourPhone={null} takesFocus={false} next={done} />);
    const link = screen.getByRole('link', { name: 'Done' });
    expect(link).toHaveAttribute('href', '/account-settings');
    await userEvent.click(link);
    expect(go).toHaveBeenCalledTimes(1);
    expect(screen.queryByRole('button', { name: 'Sign In' })).not.toBeInTheDocument();
  });

  it('in setup mode offers to sign in, and no link to the settings', async () => {
    render(
      <MfaActivated method={null} lastFourPhone={null} takesFocus next={{ kind: 'signIn', onSignIn: go }} />,
    );
    await userEvent.click(screen.getByRole('button', { name: 'Sign In' }));
    expect(go).toHaveBeenCalledTimes(1);
    expect(screen.queryByRole('link', { name: 'Done' })).not.toBeInTheDocument();
  });
});
