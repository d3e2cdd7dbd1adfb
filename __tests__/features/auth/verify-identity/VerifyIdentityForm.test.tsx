import { PasswordProof } from '@features/auth/verify-identity/VerifyIdentityForm';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ComponentProps } from 'react';

const form = (changes: Partial<ComponentProps<typeof PasswordProof>> = {}) => (
  <PasswordProof
    email="ada@example.com"
    username="ada.l"
    busy={false}
    failures={0}
    takesFocus
    forgotHref="/forgot-password"
    onForgot={jest.fn()}
    onPassword={jest.fn()}
    {...changes}
  />
);
const password = () => screen.getByLabelText('Password');

describe('the password form of verify identity', () => {
  it('shows the e-mail, which cannot be changed', () => {
    render(form());
    expect(screen.getByLabelText('Email')).toHaveValue('ada@example.com');
    expect(screen.getByLabelText('Email')).toHaveAttribute('readonly');
  });

  it('accepts a password of blanks', async () => {
    const onPassword = jest.fn();
    render(form({ onPassword }));
    expect(screen.getByRole('button', { name: 'Next' })).toBeDisabled();
    await userEvent.type(password(), '  ');
    await userEvent.click(screen.getByRole('button', { name: 'Next' }));
    expect(onPassword.mock.calls).toEqual([['  ']]);
  });

  it('keeps the password as it was sent while it is checked', async () => {
    const { rerender } = render(form());
    await userEvent.type(password(), 'Secret1');
    rerender(form({ busy: true }));
    await userEvent.type(password(), '{Backspace}9');
    expect(password()).toHaveValue('Secret1');
  });

  it('empties a refused password, and takes the focus', async () => {
    const { rerender } = render(form());
    await userEvent.type(password(), 'wrong');
    screen.getByRole('button', { name: 'Next' }).focus();
    rerender(form({ busy: true }));
    rerender(form({ failures: 1 }));
    expect(password()).toHaveValue('');
    expect(password()).toHaveFocus();
  });
});
