import { NewPasswordForm } from '@features/password/save/NewPasswordForm';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';

const show = () =>
  render(
    <NewPasswordForm
      submitLabel="Save"
      error={null}
      busy={false}
      takesFocus={true}
      onSubmit={() => undefined}
    />,
  );
const password = () => screen.getByLabelText('New password');
const confirm = () => screen.getByLabelText('Confirm password');

describe('the rules beside a new password', () => {
  const rules = () => within(screen.getByRole('list', { name: 'Your password needs' }));
  const met = () =>
    rules()
      .getAllByRole('listitem')
      .flatMap(({ textContent }) => (textContent.startsWith('✓') ? [textContent.slice(1)] : []));

  it('stand there before anybody types, all of them', () => {
    show();
    expect(
      rules()
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent.slice(1)),
    ).toEqual([
      'no run of five or more digits',
      '8 to 50 characters',
      'at least one digit',
      'at least one lowercase letter',
      'at least one uppercase letter',
      'no spaces',
    ]);
    expect(met()).toEqual([]);
  });

  it('are ticked and unticked while one types', async () => {
    show();
    await userEvent.type(password(), 'ab');
    expect(met()).toEqual(['no run of five or more digits', 'at least one lowercase letter', 'no spaces']);
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

  it('describe the field to screen readers, each of them', () => {
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

  it('are summed up for screen readers when the field is left, and not while one types', async () => {
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

  it('say nothing of a field that was left empty', async () => {
    show();
    await userEvent.tab();
    expect(screen.getAllByRole('status').map(({ textContent }) => textContent)).toEqual(['', '']);
  });
});
