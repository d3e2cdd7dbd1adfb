import { EnrolmentCode } from '@features/mfa/enrolment/EnrolmentCode';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState, type ComponentProps } from 'react';
import { renderView } from '../../../support/renderView';

type Props = ComponentProps<typeof EnrolmentCode>;

const onSubmit = jest.fn<undefined, [string]>();
beforeEach(() => void onSubmit.mockReset());

const drawn = (changes: Partial<Props> = {}) => (
  <EnrolmentCode
    method="text"
    lastFourPhone="0143"
    busy={false}
    red={false}
    restarts={0}
    takesFocus
    back="/authy-collect-info/u_1"
    onSubmit={onSubmit}
    {...changes}
  />
);
const field = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Verification code' });
const verify = () => screen.getByRole('button', { name: 'Verify' });

describe('the code step', () => {
  it.each([
    [
      'text',
      'We just sent a text message with your verification code to your phone number ending in 0143',
      'Back to Phone Setup',
    ],
    ['app', 'Enter the 6-digit code from your app', 'Back to QR Code'],
  ] as const)('of %s has the words of the specification', (method, text, backLabel) => {
    renderView(drawn({ method }));
    expect(screen.getByRole('heading', { level: 1, name: 'Enable 2-Step Verification' })).toBeVisible();
    expect(screen.getByRole('heading', { level: 2, name: 'Enter the verification code' })).toBeVisible();
    expect(screen.getByText('Step 2 of 2')).toBeVisible();
    expect(screen.getByText(text)).toBeVisible();
    expect(screen.getByRole('link', { name: backLabel })).toHaveAttribute('href', '/authy-collect-info/u_1');
  });

  it('submits a code that was filled without an event by Enter, once', async () => {
    function Screen() {
      const [busy, setBusy] = useState(false);
      const submit = (code: string): void => {
        setBusy(true);
        onSubmit(code);
      };
      return drawn({ busy, onSubmit: submit });
    }
    renderView(<Screen />);
    field().value = '123456';
    await userEvent.keyboard('{Enter}');
    expect(onSubmit.mock.calls).toEqual([['123456']]);
  });

  it('submits it again on Verify, after it could not be checked', async () => {
    const { rerender } = renderView(drawn());
    await userEvent.keyboard('123456');
    rerender(drawn({ busy: true }));
    expect(verify()).toBeDisabled();
    rerender(drawn());
    await userEvent.click(verify());
    expect(onSubmit.mock.calls).toEqual([['123456'], ['123456']]);
  });

  it('submits nothing while the boxes are red, and accepts input after they were emptied', async () => {
    const { rerender } = renderView(drawn());
    await userEvent.keyboard('123456');
    rerender(drawn({ red: true }));
    expect(verify()).toBeDisabled();
    expect(field()).toBeInvalid();
    rerender(drawn({ restarts: 1 }));
    expect(field()).toHaveValue('');
    expect(field()).toHaveFocus();
    expect(verify()).toBeDisabled();
    await userEvent.keyboard('222222');
    expect(onSubmit.mock.calls).toEqual([['123456'], ['222222']]);
  });
});
