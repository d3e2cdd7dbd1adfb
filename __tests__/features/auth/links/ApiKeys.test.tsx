import { App } from '@app/App';
import { ApiKeys } from '@features/auth/links/ApiKeys';
import { ApiError } from '@shared/api/apiError';
import { VaultContext } from '@shared/contexts';
import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ComponentProps } from 'react';
import { fakeDeps, type TabOptions } from '../../../support/fakeDeps';
import { openApp, settle } from '../../../support/openApp';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));
afterEach(() => jest.useRealTimers());

const user = userEvent.setup({
  advanceTimers: (ms) => jest.advanceTimersByTimeAsync(ms).then(() => undefined),
});
const values = { apiKey: 'key-<b>1</b>', apiSecret: 'secret-2' };

const open = async (answer: typeof values | ApiError = values, tab: TabOptions = {}) => {
  const deps = fakeDeps({ path: '/secret-key/h-1', ...tab });
  if (answer instanceof ApiError) deps.api.users.apiInvite.mockRejectedValue(answer);
  else deps.api.users.apiInvite.mockResolvedValue(answer);
  const app = openApp(deps);
  render(
    <VaultContext value={deps.vault}>
      <App store={app.store} config={deps.config} />
    </VaultContext>,
  );
  await act(() => settle());
  await screen.findByRole('heading', { level: 1 });
  return deps;
};

const box = (name: RegExp) => screen.getByRole('button', { name });
const keyBox = () => box(/^API key/);
const secretBox = () => box(/^API secret/);
const press = async (target: HTMLElement) => {
  await user.click(target);
  await act(() => settle());
};
const selected = () => document.getSelection()?.toString();

describe('the API key and its secret', () => {
  it('are shown, as text, with the focus on what they are', async () => {
    await open();
    expect(screen.getByRole('heading', { level: 1, name: 'Your API key' })).toHaveFocus();
    expect(
      screen.getByText('Key and secret are shown only once. Click a box to copy its value.'),
    ).toBeVisible();
    expect(keyBox()).toHaveTextContent('key-<b>1</b>');
    expect(secretBox()).toHaveTextContent('secret-2');
    expect(document.title).not.toMatch(/key-|secret-2|h-1/);
  });

  it('leave the focus alone in a parent’s frame', async () => {
    await open(values, { embedding: 'trusted' });
    expect(document.body).toHaveFocus();
  });

  it('are copied by a click on their box, which says so politely', async () => {
    const deps = await open();
    await press(keyBox());
    expect(screen.getByRole('status')).toHaveTextContent('API key copied');
    await press(secretBox());
    expect(screen.getByRole('status')).toHaveTextContent('API secret copied');
    expect(deps.clipboard.copied).toEqual([values.apiKey, values.apiSecret]);
    expect(secretBox()).toHaveFocus();
  });

  it('are copied by keyboard too', async () => {
    const deps = await open();
    await user.tab();
    await user.keyboard('{Enter}');
    await user.tab();
    await user.keyboard(' ');
    await act(() => settle());
    expect(deps.clipboard.copied).toEqual([values.apiKey, values.apiSecret]);
  });

  it('where the clipboard is refused, are selected whole, and nothing else, with the keys to press', async () => {
    const deps = await open();
    deps.clipboard.refuse();
    await press(secretBox());
    expect(selected()).toBe('secret-2');
    expect(screen.getByRole('status')).toHaveTextContent(
      'The value is selected. Press Ctrl+C (⌘C on a Mac) to copy it.',
    );
    await press(keyBox());
    expect(selected()).toBe('key-<b>1</b>');
    document.getSelection()?.removeAllRanges();
    await press(keyBox());
    expect(selected()).toBe('key-<b>1</b>');
  });

  it('are shown once: a page that comes back shows that the link is over', async () => {
    const deps = await open();
    act(() => {
      deps.pageLife.emit('left');
      deps.pageLife.emit('restored');
    });
    await act(() => settle());
    expect(await screen.findByRole('heading', { name: 'Your Link Has Expired' })).toBeVisible();
    expect(document.body).not.toHaveTextContent(/key-|secret-2/);
  });

  it('that were shown before, or are none, end on the page of an expired link', async () => {
    await open(new ApiError('server', { status: 410, serverMessage: 'used' }));
    expect(await screen.findByRole('heading', { name: 'Your Link Has Expired' })).toBeVisible();
    expect(document.body).not.toHaveTextContent('used');
  });
});

it('the words about a copy are said again at each press', () => {
  const keys = (times: number) => {
    const copied: ComponentProps<typeof ApiKeys>['copied'] = { which: 'apiKey', outcome: 'copied', times };
    return <ApiKeys {...values} copied={copied} takesFocus={false} onCopy={() => undefined} />;
  };
  const { rerender } = render(keys(1));
  const first = screen.getByText('API key copied');
  rerender(keys(2));
  expect(screen.getByText('API key copied')).not.toBe(first);
});
