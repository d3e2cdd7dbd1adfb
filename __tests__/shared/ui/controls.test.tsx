import { Button } from '@shared/ui/buttons/Button';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router-dom';
import { BackLink } from '@shared/ui/buttons/links';

const save = () => screen.getByRole('button', { name: 'Save' });

describe('a button', () => {
  it('submits a form only with type submit', () => {
    render(<Button>Save</Button>);
    expect(save()).toHaveAttribute('type', 'button');
  });

  it('keeps its name while it is busy, and cannot be pressed again', async () => {
    const onClick = jest.fn();
    render(
      <Button busy onClick={onClick}>
        Save
      </Button>,
    );
    expect(save()).toBeDisabled();
    expect(save()).toHaveAttribute('aria-busy', 'true');
    await userEvent.click(save());
    expect(onClick).not.toHaveBeenCalled();
  });

  it('with keepsFocus has the focus all the time, and does nothing until it is enabled again', async () => {
    const onClick = jest.fn();
    const onSubmit = jest.fn();
    render(
      <form onSubmit={onSubmit}>
        <Button keepsFocus disabled type="submit" onClick={onClick}>
          Save
        </Button>
      </form>,
    );
    save().focus();
    await userEvent.keyboard('{Enter}');
    expect(save()).toHaveFocus();
    expect(save()).toHaveAttribute('aria-disabled', 'true');
    expect(onClick).not.toHaveBeenCalled();
    expect(onSubmit).not.toHaveBeenCalled();
  });

  it('returns the focus to the user who pressed it, when it is enabled again', () => {
    const { rerender } = render(<Button>Save</Button>);
    save().focus();
    rerender(<Button busy>Save</Button>);
    // What browsers do to a disabled element that has the focus.
    save().blur();
    rerender(<Button>Save</Button>);
    expect(save()).toHaveFocus();
  });

  it('does not move the focus if the user has moved it meanwhile', () => {
    const form = (busy: boolean) => (
      <>
        <input aria-label="Amount" />
        <Button busy={busy}>Save</Button>
      </>
    );
    const { rerender } = render(form(false));
    save().focus();
    rerender(form(true));
    screen.getByRole('textbox').focus();
    rerender(form(false));
    expect(screen.getByRole('textbox')).toHaveFocus();
  });

  it('takes no focus that it did not have', () => {
    const { rerender } = render(<Button busy>Save</Button>);
    rerender(<Button>Save</Button>);
    expect(save()).not.toHaveFocus();
  });
});

describe('a back link', () => {
  it('is an anchor with an address', () => {
    render(<BackLink label="Back to Login" to="/login?url=x" />, { wrapper: MemoryRouter });
    expect(screen.getByRole('link', { name: 'Back to Login' })).toHaveAttribute('href', '/login?url=x');
  });

  it('is a button without one, and runs its action', async () => {
    const act = jest.fn();
    render(<BackLink label="ada@example.com" description="Use a different username" onClick={act} />);
    const button = screen.getByRole('button', { name: 'ada@example.com' });
    expect(button).toHaveAccessibleDescription('Use a different username');
    await userEvent.click(button);
    expect(act).toHaveBeenCalledTimes(1);
  });
});
