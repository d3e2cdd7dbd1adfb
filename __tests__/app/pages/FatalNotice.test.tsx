import { FatalNotice } from '@app/crash/Fallback.container';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';

const message = 'An unexpected error occurred. Please try again later. We apologize for the inconvenience.';

describe('the fallback page', () => {
  it('says its message at once, as the heading of the page', () => {
    render(<FatalNotice message={message} />);
    expect(screen.getByRole('alert')).toHaveTextContent(message);
    expect(screen.getByRole('heading', { level: 1, name: message })).toBeInTheDocument();
    expect(screen.queryByRole('button')).not.toBeInTheDocument();
  });

  it('offers the one way on', async () => {
    const onClick = jest.fn();
    render(<FatalNotice message={message} action={{ label: 'Sign Out', onClick }} />);
    await userEvent.click(screen.getByRole('button', { name: 'Sign Out' }));
    expect(onClick).toHaveBeenCalledTimes(1);
  });
});
