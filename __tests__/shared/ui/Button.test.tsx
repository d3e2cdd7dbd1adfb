import { Button } from '@shared/ui/Button';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';

const save = () => screen.getByRole('button', { name: 'Save' });

describe('a button', () => {
  it('does what it says when pressed', async () => {
    const onClick = jest.fn();
    render(<Button onClick={onClick}>Save</Button>);
    await userEvent.click(save());
    expect(onClick).toHaveBeenCalledTimes(1);
  });

  it('submits no form unless it is told to', () => {
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

  it('that keeps the focus has it all the while, and does nothing until it works again', async () => {
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

  it('gives the focus back to whoever pressed it, when it works again', () => {
    const { rerender } = render(<Button>Save</Button>);
    save().focus();
    rerender(<Button busy>Save</Button>);
    // What browsers do to a disabled element that has the focus.
    save().blur();
    rerender(<Button>Save</Button>);
    expect(save()).toHaveFocus();
  });

  it('leaves the focus where somebody has put it meanwhile', () => {
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
