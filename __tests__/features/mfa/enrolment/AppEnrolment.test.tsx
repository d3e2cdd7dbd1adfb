import { AppEnrolment, type AuthenticatorKeyView } from '@features/mfa/enrolment/AppEnrolment';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { renderView } from '../../../support/renderView';

const act = {
  onCopy: jest.fn<undefined, []>(),
  onTryAgain: jest.fn<undefined, []>(),
};
beforeEach(() => {
  for (const spy of Object.values(act)) spy.mockReset();
});

const url = 'otpauth://totp/Payments:ada?secret=JBSWY3DPEHPK3PXP7Q';
const ready = { kind: 'ready', code: 'JBSWY3DPEHPK3PXP7Q', url, copy: null } as const;

const drawn = (enrolment: AuthenticatorKeyView, takesFocus = true) => (
  <AppEnrolment
    enrolment={enrolment}
    takesFocus={takesFocus}
    next="/verification/u_1/"
    onCopy={act.onCopy}
    onTryAgain={act.onTryAgain}
  />
);
const show = (enrolment: AuthenticatorKeyView) => renderView(drawn(enrolment));
const picture = () => screen.queryByRole('img', { name: /QR code/ });
const selected = () => window.getSelection()?.toString();

describe('the QR step', () => {
  it('shows the QR code as an image with an alternative, and the key in groups of four', () => {
    show(ready);
    expect(screen.getByRole('heading', { level: 1, name: 'Enable 2-Step Verification' })).toHaveFocus();
    expect(screen.getByText('Step 1 of 2')).toBeVisible();
    expect(picture()).toHaveAccessibleName('QR code. If you cannot scan it, enter the key below.');
    for (const group of ['JBSW', 'Y3DP', 'EHPK', '3PXP', '7Q']) expect(screen.getByText(group)).toBeVisible();
    // Spelled out for screen readers.
    expect(screen.getByText('J B S W, Y 3 D P, E H P K, 3 P X P, 7 Q')).toBeInTheDocument();
  });

  it('passes the key to an app on the same device', () => {
    show(ready);
    expect(screen.getByRole('link', { name: 'Open Authenticator App' })).toHaveAttribute('href', url);
  });

  it('copies on request, and announces it politely', async () => {
    const { rerender } = show(ready);
    await userEvent.click(screen.getByRole('button', { name: 'Copy Key' }));
    expect(act.onCopy).toHaveBeenCalledTimes(1);
    const status = screen.getByRole('status');
    expect(status).toBeEmptyDOMElement();
    rerender(drawn({ ...ready, copy: { outcome: 'copied', times: 1 } }));
    expect(status).toHaveTextContent('Copied');
    expect(selected()).toBe('');
  });

  it('selects the key without gaps if the browser refused to copy, and names the keys to press', () => {
    const { rerender } = show(ready);
    rerender(drawn({ ...ready, copy: { outcome: 'refused', times: 1 } }));
    expect(screen.getByRole('status')).toHaveTextContent(/Ctrl\+C/);
    expect(selected()).toBe('JBSWY3DPEHPK3PXP7Q');
  });

  it('shows that it is loading', () => {
    show({ kind: 'loading' });
    expect(screen.getByRole('status')).toHaveTextContent('Loading the QR code');
    expect(screen.queryByRole('link', { name: 'Continue' })).not.toBeInTheDocument();
  });

  it('shows that it failed, and retries on request', async () => {
    show({ kind: 'failed' });
    expect(screen.getByRole('alert')).toHaveTextContent('The QR code could not be loaded.');
    await userEvent.click(screen.getByRole('button', { name: 'Try Again' }));
    expect(act.onTryAgain).toHaveBeenCalledTimes(1);
  });

  it('shows no key after it was dropped', () => {
    show({ kind: 'gone' });
    expect(screen.getByText('The QR code is no longer held.')).toBeVisible();
    expect(picture()).toBeNull();
  });

  it('shows the key alone if the address is too long for a QR code', () => {
    show({ ...ready, url: `${url}&issuer=${'x'.repeat(3000)}` });
    expect(picture()).toBeNull();
    expect(screen.getByText('JBSW')).toBeVisible();
  });

  it('takes no focus in a parent’s frame', () => {
    renderView(drawn(ready, false));
    expect(document.body).toHaveFocus();
  });
});
