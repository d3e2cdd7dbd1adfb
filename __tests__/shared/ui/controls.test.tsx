import { Button } from '@shared/ui/buttons/Button';
import { createEvent, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { ButtonLink } from '@shared/ui/buttons/ButtonLink';
import { BackLink, TextLink } from '@shared/ui/buttons/links';

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

const follow = jest.fn();
beforeEach(() => {
  follow.mockReset();
});

/** Clicks, and returns whether the browser should follow the link itself. */
function clickLeavesItToTheBrowser(link: HTMLElement, init: MouseEventInit = {}): boolean {
  const click = createEvent.click(link, { button: 0, ...init });
  // jsdom cannot navigate; what counts is what the component did.
  link.ownerDocument.addEventListener('click', (event) => event.preventDefault(), { once: true });
  const prevented = jest.spyOn(click, 'preventDefault');
  fireEvent(link, click);
  return prevented.mock.calls.length <= 1;
}

describe.each([
  ['a text link', TextLink],
  ['a link styled as a button', ButtonLink],
])('%s', (_name, Link) => {
  const renderLink = () => {
    render(
      <Link href="/forgot-password" onFollow={follow}>
        Forgot your password?
      </Link>,
    );
    return screen.getByRole('link', { name: 'Forgot your password?' });
  };

  it.each(['metaKey', 'ctrlKey', 'shiftKey', 'altKey'])('is handled by the browser with %s', (key) => {
    expect(clickLeavesItToTheBrowser(renderLink(), { [key]: true })).toBe(true);
    expect(follow).not.toHaveBeenCalled();
  });

  it('is handled by the browser if the application has no handler', () => {
    render(<Link href="mailto:support@example.com">Write to us</Link>);
    expect(clickLeavesItToTheBrowser(screen.getByRole('link', { name: 'Write to us' }))).toBe(true);
  });
});

describe('a back link', () => {
  it('is an anchor with an address', () => {
    render(<BackLink label="Back to Login" href="/login?url=x" onClick={follow} />);
    const link = screen.getByRole('link', { name: 'Back to Login' });
    expect(link).toHaveAttribute('href', '/login?url=x');
    expect(clickLeavesItToTheBrowser(link)).toBe(false);
    expect(follow).toHaveBeenCalledTimes(1);
  });

  it('is a button without one, and runs its action', async () => {
    render(<BackLink label="ada@example.com" description="Use a different username" onClick={follow} />);
    const button = screen.getByRole('button', { name: 'ada@example.com' });
    expect(button).toHaveAccessibleDescription('Use a different username');
    await userEvent.click(button);
    expect(follow).toHaveBeenCalledTimes(1);
  });
});
