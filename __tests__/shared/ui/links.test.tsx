import { BackLink, ButtonLink, TextLink } from '@shared/ui/links';
import { createEvent, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';

const follow = jest.fn();
beforeEach(() => {
  follow.mockReset();
});

/** Clicks, and says whether the browser was left to follow the link by itself. */
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
  ['a link that looks like a button', ButtonLink],
])('%s', (_name, Link) => {
  const renderLink = () => {
    render(
      <Link href="/forgot-password" onFollow={follow}>
        Forgot your password?
      </Link>,
    );
    return screen.getByRole('link', { name: 'Forgot your password?' });
  };

  it('has a real address', () => {
    expect(renderLink()).toHaveAttribute('href', '/forgot-password');
  });

  it('is followed by the application on a plain click', () => {
    expect(clickLeavesItToTheBrowser(renderLink())).toBe(false);
    expect(follow).toHaveBeenCalledTimes(1);
  });

  it.each(['metaKey', 'ctrlKey', 'shiftKey', 'altKey'])('is left to the browser with %s', (key) => {
    expect(clickLeavesItToTheBrowser(renderLink(), { [key]: true })).toBe(true);
    expect(follow).not.toHaveBeenCalled();
  });

  it('is left to the browser where the application has nothing to add', () => {
    render(<Link href="mailto:support@example.com">Write to us</Link>);
    expect(clickLeavesItToTheBrowser(screen.getByRole('link', { name: 'Write to us' }))).toBe(true);
  });
});

describe('a back link', () => {
  it('is an anchor where there is an address', () => {
    render(<BackLink label="Back to Login" href="/login?url=x" onClick={follow} />);
    const link = screen.getByRole('link', { name: 'Back to Login' });
    expect(link).toHaveAttribute('href', '/login?url=x');
    expect(clickLeavesItToTheBrowser(link)).toBe(false);
    expect(follow).toHaveBeenCalledTimes(1);
  });

  it('is a button where there is none, and says what it does', async () => {
    render(<BackLink label="ada@example.com" description="Use a different username" onClick={follow} />);
    const button = screen.getByRole('button', { name: 'ada@example.com' });
    expect(button).toHaveAccessibleDescription('Use a different username');
    await userEvent.click(button);
    expect(follow).toHaveBeenCalledTimes(1);
  });
});
