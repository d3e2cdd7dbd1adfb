import { App } from '@app/App';
import { LinkGate } from '@features/auth/links/LinkGate';
import { VaultContext } from '@shared/contexts';
import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { accessToken, hosts } from '../../../support/builders';
import { fakeDeps } from '../../../support/fakeDeps';
import { openApp, settle } from '../../../support/openApp';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));
afterEach(() => jest.useRealTimers());

const user = userEvent.setup({
  advanceTimers: (ms) => jest.advanceTimersByTimeAsync(ms).then(() => undefined),
});

const open = async (path: string, oneTimeLinks: 'auto' | 'click') => {
  const deps = fakeDeps({ path, config: { oneTimeLinks } });
  deps.api.users.apiInvite.mockResolvedValue({ apiKey: 'shown-key', apiSecret: 'shown-secret' });
  deps.api.auth.exchangeMagicLink.mockResolvedValue({
    applicationUrl: hosts.ledger,
    token: accessToken(),
    refreshToken: 'ref',
  });
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
type Tab = Awaited<ReturnType<typeof open>>;

const button = () => screen.queryByRole('button', { name: 'Continue' });

describe.each([
  ['an API invitation', '/secret-key/h-1', ({ api }: Tab) => api.users.apiInvite],
  ['a magic link', '/redirect/h-1', ({ api }: Tab) => api.auth.exchangeMagicLink],
] as const)('%s', (_name, path, call) => {
  it('where a press is asked for, is not used up before it, and once by it', async () => {
    const deps = await open(path, 'click');
    expect(screen.getByText('This link works only once.')).toBeVisible();
    expect(document.title).not.toContain('h-1');
    expect(call(deps)).not.toHaveBeenCalled();
    const target = button();
    if (!target) throw new Error('There is no button');
    await user.dblClick(target);
    await act(() => settle());
    expect(call(deps).mock.calls).toEqual([['h-1']]);
    expect(button()).not.toBeInTheDocument();
  });

  it('else is used up as it is opened, without a button', async () => {
    const deps = await open(path, 'auto');
    expect(button()).not.toBeInTheDocument();
    expect(call(deps).mock.calls).toEqual([['h-1']]);
  });
});

it('the page that waits for a link says so', () => {
  render(<LinkGate onOpen={null} />);
  expect(screen.getByRole('heading', { name: 'Opening your link' })).toBeVisible();
  expect(screen.getByRole('status')).toHaveTextContent('Opening your link');
  expect(screen.queryByRole('button')).not.toBeInTheDocument();
});
