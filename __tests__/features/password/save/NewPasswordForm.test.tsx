import type { NewPasswordError } from '@features/password/save/newPassword.slice';
import { NewPasswordForm } from '@features/password/save/NewPasswordForm';
import { fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ComponentProps } from 'react';
import { renderView } from '../../../support/renderView';

type Props = ComponentProps<typeof NewPasswordForm>;

const onSubmit = jest.fn<undefined, Parameters<Props['onSubmit']>>();
beforeEach(() => onSubmit.mockReset());

const form = (changes: Partial<Props> = {}) => (
  <NewPasswordForm
    submitLabel="Save"
    error={null}
    busy={false}
    takesFocus={true}
    onSubmit={onSubmit}
    {...changes}
  />
);
const show = (changes: Partial<Props> = {}) => renderView(form(changes));

const password = () => screen.getByLabelText<HTMLInputElement>('New password');
const confirm = () => screen.getByLabelText<HTMLInputElement>('Confirm password');
const submit = () => screen.getByRole('button', { name: 'Save' });
const refused = (at: 'password' | 'form', message: string, times = 1): NewPasswordError => ({
  at,
  message,
  times,
});

describe('the form for a new password', () => {
  it('submits nothing while it is saved, and keeps the input', async () => {
    const { rerender } = show();
    await userEvent.type(password(), 'Front-door7');
    rerender(form({ busy: true }));
    expect(submit()).toBeDisabled();
    expect(submit()).toHaveAttribute('aria-busy', 'true');
    await userEvent.type(password(), '8{Enter}');
    await userEvent.type(confirm(), '8{Enter}');
    expect([password().value, confirm().value]).toEqual(['Front-door7', '']);
    // As a script or a browser tool may do.
    fireEvent.submit(password());
    expect(onSubmit).not.toHaveBeenCalled();
  });

  it('hides both passwords until ‘Show Password’', async () => {
    show();
    expect([password().type, confirm().type]).toEqual(['password', 'password']);
    await userEvent.click(screen.getByRole('button', { name: 'Show Password' }));
    expect([password().type, confirm().type]).toEqual(['text', 'password']);
    await userEvent.click(screen.getByRole('button', { name: 'Show Confirmation' }));
    expect([password().type, confirm().type]).toEqual(['text', 'text']);
    await userEvent.click(submit());
    expect([password().type, confirm().type]).toEqual(['password', 'password']);
  });
});

describe('the error of a new password', () => {
  it('focuses the field each time it is shown', async () => {
    const { rerender } = show({ error: refused('password', 'Please enter a new password') });
    await userEvent.click(submit());
    expect(submit()).toHaveFocus();
    rerender(form({ error: refused('password', 'Please enter a new password', 2) }));
    expect(password()).toHaveFocus();
  });

  it('does not move the focus in a parent’s frame before the user has acted', () => {
    const { rerender } = show({ takesFocus: false });
    expect(document.body).toHaveFocus();
    rerender(form({ takesFocus: false, error: refused('password', 'Please enter a new password') }));
    expect(password()).toHaveFocus();
  });
});

describe('the error of a failed call', () => {
  it('is an alert of the form, which marks no field and moves no focus', async () => {
    const { rerender } = show();
    const alert = screen.getByRole('alert');
    await userEvent.click(submit());
    rerender(form({ busy: true }));
    rerender(form({ error: refused('form', 'This link has been used.') }));
    expect(screen.getByRole('alert')).toBe(alert);
    expect(alert).toHaveTextContent('This link has been used.');
    expect([password(), confirm()].filter((field) => field.hasAttribute('aria-invalid'))).toEqual([]);
    expect(submit()).toHaveFocus();
  });

  it('is announced again when it occurs again', () => {
    const { rerender } = show({ error: refused('form', 'Network Error') });
    const first = within(screen.getByRole('alert')).getByText('Network Error');
    rerender(form({ error: refused('form', 'Network Error', 2) }));
    expect(within(screen.getByRole('alert')).getByText('Network Error')).not.toBe(first);
  });
});

describe('the rules next to a new password', () => {
  const rules = () => within(screen.getByRole('list', { name: 'Your password needs' }));
  const met = () =>
    rules()
      .getAllByRole('listitem')
      .flatMap(({ textContent }) => (textContent.startsWith('✓') ? [textContent.slice(1)] : []));

  it('are ticked and unticked while the user types', async () => {
    show();
    await userEvent.type(password(), 'ab');
    expect(met()).toEqual(['at least one lowercase letter', 'no spaces', 'no run of five or more digits']);
    await userEvent.type(password(), 'C12345');
    expect(met()).toEqual([
      '8 to 50 characters',
      'at least one digit',
      'at least one lowercase letter',
      'at least one uppercase letter',
      'no spaces',
    ]);
    await userEvent.clear(password());
    expect(met()).toEqual([]);
  });

  it('describe the field to screen readers', () => {
    show();
    for (const rule of [
      'Your password needs',
      'no run of five or more digits',
      '8 to 50 characters',
      'no spaces',
    ])
      expect(password()).toHaveAccessibleDescription(expect.stringContaining(rule));
    expect(confirm()).not.toHaveAccessibleDescription();
  });

  it('are summed up for screen readers on blur, and not while the user types', async () => {
    show();
    const said = () => screen.getAllByRole('status').map(({ textContent }) => textContent);
    await userEvent.type(password(), 'abc');
    expect(said().join('')).toBe('');
    await userEvent.tab();
    expect(said()).toContain(
      '3 not met: 8 to 50 characters, at least one digit, at least one uppercase letter.',
    );
    await userEvent.type(password(), '-Door77');
    await userEvent.tab();
    expect(said()).toContain('All password requirements are met.');
  });

  it('are not announced for a field that was left empty', async () => {
    show();
    await userEvent.tab();
    expect(screen.getAllByRole('status').map(({ textContent }) => textContent)).toEqual(['', '']);
  });
});
