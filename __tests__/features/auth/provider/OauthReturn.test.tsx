import { act, fireEvent, screen } from '@testing-library/react';
import { pass } from '../../../support/openApp';
import { openReturn } from './openReturn';
import { renderApp } from '../../../support/renderApp';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));

const open = async (query: string) => {
  const page = openReturn(query);
  await renderApp(page);
  return page;
};

describe('the page in the provider’s window', () => {
  it('says that the sign-in continues, as long as the opener may answer', async () => {
    await open('?code=code-1&state=state-1');
    await act(() => pass(9000));
    expect(await screen.findByRole('heading', { name: 'Signing you in' })).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Close Window' })).not.toBeInTheDocument();
  });

  it('without an answer says that the window can be closed, and closes it on request', async () => {
    const page = await open('?code=code-1&state=state-1');
    await act(() => pass(10_000));
    expect(screen.getByText('You can close this window.')).toBeVisible();
    expect(page.deps.popup.closedSelf()).toBe(false);
    fireEvent.click(screen.getByRole('button', { name: 'Close Window' }));
    expect(page.deps.popup.closedSelf()).toBe(true);
  });

  it('with an unknown state only offers to close the window', async () => {
    await open('?code=code-1&state=other');
    expect(await screen.findByText('You can close this window.')).toBeVisible();
  });

  it('shows no content from the address', async () => {
    await open('?error=access_denied&error_description=%3Cb%3EMarked%20words%3C%2Fb%3E&state=state-1');
    await act(() => pass(10_000));
    expect(document.body).not.toHaveTextContent('Marked');
  });
});
