import { PasswordField } from '@shared/ui/fields/PasswordField';
import { fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { TextField } from '@shared/ui/fields/TextField';

function renderField(more: { readonly hideLabel?: string; readonly onBlur?: () => void } = {}) {
  render(
    <form aria-label="Sign in" onSubmit={(event) => event.preventDefault()}>
      <PasswordField
        label="Password"
        name="password"
        autoComplete="current-password"
        showLabel="Show Password"
        capsLockWarning="Caps Lock is on."
        {...more}
      />
      <button>Sign In</button>
    </form>,
  );
}

const password = () => screen.getByLabelText<HTMLInputElement>('Password');
const toggle = (name = 'Show Password') => screen.getByRole('button', { name });

describe('a password field', () => {
  it('hides the input until ‘Show Password’ is pressed, and announces the state', async () => {
    renderField();
    const field = password();
    expect(field).toHaveAttribute('type', 'password');
    expect(toggle()).toHaveAttribute('aria-pressed', 'false');
    await userEvent.type(field, 'Secret 1');
    await userEvent.click(toggle());
    expect(field).toHaveAttribute('type', 'text');
    expect(field).toHaveValue('Secret 1');
    expect(toggle()).toHaveAttribute('aria-pressed', 'true');
    await userEvent.click(toggle());
    expect(field).toHaveAttribute('type', 'password');
  });

  it('changes the name of the toggle if it has two', async () => {
    renderField({ hideLabel: 'Hide Password' });
    expect(toggle()).not.toHaveAttribute('aria-pressed');
    await userEvent.click(toggle());
    expect(toggle('Hide Password')).not.toHaveAttribute('aria-pressed');
  });

  it('warns politely while Caps Lock is on', () => {
    renderField();
    const field = password();
    const warning = screen.getByRole('status');
    expect(warning).toBeEmptyDOMElement();
    fireEvent.keyDown(field, { key: 'A', modifierCapsLock: true });
    expect(warning).toHaveTextContent('Caps Lock is on.');
    fireEvent.keyUp(field, { key: 'CapsLock' });
    expect(warning).toBeEmptyDOMElement();
  });

  it('stops warning on blur', () => {
    renderField();
    const field = password();
    fireEvent.keyDown(field, { key: 'A', modifierCapsLock: true });
    fireEvent.blur(field);
    expect(screen.getByRole('status')).toBeEmptyDOMElement();
  });
});

describe('a text field', () => {
  const field = () => screen.getByRole('textbox', { name: 'Phone number' });
  const tooShort = 'Too short.';

  it('an error is announced to a user whose focus is in the field, and read with the field', () => {
    const { rerender } = render(<TextField label="Phone number" />);
    field().focus();
    // Not every screen reader announces a region that is inserted together with its text.
    const region = screen.getByText('', { selector: '[aria-live="polite"]' });
    expect(region).toBeEmptyDOMElement();
    expect(field()).not.toHaveAttribute('aria-describedby');

    rerender(<TextField label="Phone number" error={tooShort} />);
    expect(screen.getByText(tooShort)).toBe(region);
    expect(field()).toHaveFocus();
    expect(field()).toBeInvalid();
    expect(field()).toHaveAccessibleDescription(tooShort);
  });

  it('is named by its label and described by its hint and by its error', () => {
    render(<TextField label="Email" hint="Your work address" error="Please enter an email" />);
    const field = screen.getByRole('textbox', { name: 'Email' });
    expect(field).toHaveAccessibleDescription('Your work address Please enter an email');
    expect(field).toBeInvalid();
  });

  it('is not marked invalid without an error', () => {
    render(<TextField label="Email" />);
    expect(screen.getByRole('textbox', { name: 'Email' })).toBeValid();
  });
});
