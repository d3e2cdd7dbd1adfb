import { MfaActivated } from '@features/mfa/activated/MfaActivated';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { renderView } from '../../../support/renderView';

const go = jest.fn<undefined, []>();
beforeEach(() => void go.mockReset());

describe('the confirmation of the enrolment', () => {
  it('by text message, to a phone whose last digits are known or not', () => {
    const { rerender } = renderView(<MfaActivated method="text" lastFourPhone={null} takesFocus />);
    expect(screen.getByRole('heading', { level: 1, name: '2-Step Verification is on' })).toHaveFocus();
    expect(screen.getByText(/by text message/)).toBeVisible();
    expect(screen.getByText(/ends in/)).toHaveClass('reserved');
    rerender(<MfaActivated method="text" lastFourPhone="0143" takesFocus />);
    expect(screen.getByText('Your phone number ends in 0143.')).not.toHaveClass('reserved');
  });

  it('by authenticator app, without mention of a phone', () => {
    renderView(<MfaActivated method="app" lastFourPhone="0143" takesFocus />);
    expect(screen.getByText(/authenticator app/)).toBeVisible();
    expect(screen.queryByText(/0143/)).not.toBeInTheDocument();
  });

  it('has a link to the settings', () => {
    renderView(<MfaActivated method="text" lastFourPhone={null} takesFocus={false} />);
    const link = screen.getByRole('link', { name: 'Done' });
    expect(link).toHaveAttribute('href', '/account-settings');
    expect(screen.queryByRole('button', { name: 'Sign In' })).not.toBeInTheDocument();
  });

  it('in setup mode offers to sign in, and no link to the settings', async () => {
    renderView(<MfaActivated method={null} lastFourPhone={null} takesFocus onSignIn={go} />);
    await userEvent.click(screen.getByRole('button', { name: 'Sign In' }));
    expect(go).toHaveBeenCalledTimes(1);
    expect(screen.queryByRole('link', { name: 'Done' })).not.toBeInTheDocument();
  });
});
