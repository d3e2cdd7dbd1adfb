import { Header, PageFrame } from '@shared/ui/PageFrame';
import { Notice } from '@shared/ui/Notice';
import { TextField } from '@shared/ui/TextField';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';

describe('the page', () => {
  it('has its landmarks: header, main part, footer', () => {
    render(
      <PageFrame look="default" header={<Header label="Payments" />} footer="Need help?">
        <p>Content</p>
      </PageFrame>,
    );
    expect(within(screen.getByRole('banner')).getByText('Payments')).toBeInTheDocument();
    expect(within(screen.getByRole('main')).getByText('Content')).toBeInTheDocument();
    expect(screen.getByRole('contentinfo')).toHaveTextContent('Need help?');
  });

  it('has no empty footer', () => {
    render(<PageFrame look="default">Content</PageFrame>);
    expect(screen.queryByRole('contentinfo')).not.toBeInTheDocument();
  });

  it.each(['default', 'epay'] as const)('marks the %s look for the style sheet', (look) => {
    const { container } = render(<PageFrame look={look}>Content</PageFrame>);
    expect(container).toContainHTML(`data-look="${look}"`);
  });
});

describe('the header', () => {
  it('offers no way out to somebody who is not signed in', () => {
    render(<Header label="Payments" />);
    expect(screen.queryByRole('button')).not.toBeInTheDocument();
  });

  it('offers Back and Logout where they are given', async () => {
    const back = { label: 'Back', onClick: jest.fn() };
    const logout = { label: 'Logout', onClick: jest.fn() };
    render(<Header label="Payments" back={back} logout={logout} />);
    await userEvent.click(screen.getByRole('button', { name: 'Back' }));
    expect(back.onClick).toHaveBeenCalledTimes(1);
    expect(logout.onClick).not.toHaveBeenCalled();
    await userEvent.click(screen.getByRole('button', { name: 'Logout' }));
    expect(logout.onClick).toHaveBeenCalledTimes(1);
  });

  it('offers Logout alone in a parent’s frame', () => {
    render(<Header label="Payments" logout={{ label: 'Logout', onClick: jest.fn() }} />);
    expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Logout']);
  });
});

describe('a notice', () => {
  it('waits in the document before it has something to say, so that it is heard', () => {
    const { rerender } = render(<Notice />);
    const region = screen.getByRole('status');
    expect(region).toBeEmptyDOMElement();
    rerender(<Notice>A new six digit code has been sent to your phone</Notice>);
    expect(region).toHaveTextContent('A new six digit code has been sent to your phone');
  });

  it('interrupts for what went wrong', () => {
    render(<Notice tone="danger">It failed</Notice>);
    expect(screen.getByRole('alert')).toHaveTextContent('It failed');
  });
});

describe('a text field', () => {
  it('is named by its label and described by its hint and by what is wrong', () => {
    render(<TextField label="Email" hint="Your work address" error="Please enter an email" />);
    const field = screen.getByRole('textbox', { name: 'Email' });
    expect(field).toHaveAccessibleDescription('Your work address Please enter an email');
    expect(field).toBeInvalid();
  });

  it('is not called wrong while nothing is', () => {
    render(<TextField label="Email" />);
    expect(screen.getByRole('textbox', { name: 'Email' })).toBeValid();
  });
});
