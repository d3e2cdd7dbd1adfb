import { LinkExpired } from '@features/auth/links/LinkExpired';
import { render, screen } from '@testing-library/react';

describe('the page of an expired link', () => {
  const open = () =>
    render(<LinkExpired supportEmail="help@example.com" marketingSite="https://www.example.com/" />);

  it('says what happened', () => {
    open();
    expect(screen.getByRole('heading', { name: 'Your Link Has Expired' })).toBeInTheDocument();
    expect(screen.getByText('Sorry, your link is either invalid or expired.')).toBeInTheDocument();
  });

  it('names the support contact', () => {
    open();
    expect(screen.getByRole('link', { name: 'help@example.com' })).toHaveAttribute(
      'href',
      'mailto:help@example.com',
    );
  });

  it('leads to the marketing site', () => {
    open();
    expect(screen.getByRole('link', { name: 'Visit our website' })).toHaveAttribute(
      'href',
      'https://www.example.com/',
    );
  });
});
