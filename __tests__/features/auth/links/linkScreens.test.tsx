import { ApiKeys } from '@features/auth/links/ApiKeys';
import { LinkGate } from '@shared/ui/page/LinkGate';
import { ApiError } from '@shared/api/apiError';
import { act, screen } from '@testing-library/react';
import type { ComponentProps } from 'react';
import { accessToken, hosts } from '../../../support/builders';
import { fakeDeps, type TabOptions } from '../../../support/fakeDeps';
import { openApp } from '../../../support/openApp';
import { arrive, renderApp, user } from '../../../support/renderApp';
import { renderView } from '../../../support/renderView';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));

const values = { apiKey: 'key-<b>1</b>', apiSecret: 'secret-2' };
const used = new ApiError('server', { status: 410, serverMessage: 'server words' });

/** Renders the application at a link that works, or does not. */
const open = async (path: string, { refused = false, ...tab }: TabOptions & { refused?: boolean } = {}) => {
  const deps = fakeDeps({ path, ...tab });
  const { apiInvite } = deps.api.users;
  const { exchangeMagicLink } = deps.api.auth;
  if (refused) for (const call of [apiInvite, exchangeMagicLink]) call.mockRejectedValue(used);
  else {
    apiInvite.mockResolvedValue(values);
    exchangeMagicLink.mockResolvedValue({
      applicationUrl: hosts.ledger,
      token: accessToken(),
      refreshToken: 'ref',
    });
  }
  await renderApp(openApp(deps));
  await screen.findByRole('heading', { level: 1 });
  return deps;
};
type Tab = Awaited<ReturnType<typeof open>>;

describe.each([
  ['an API invitation', '/secret-key/h-1', ({ api }: Tab) => api.users.apiInvite],
  ['a magic link', '/redirect/h-1', ({ api }: Tab) => api.auth.exchangeMagicLink],
] as const)('%s', (_name, path, call) => {
  const button = () => screen.queryByRole('button', { name: 'Continue' });

  it('in click mode is used once, by the button', async () => {
    const deps = await open(path, { config: { oneTimeLinks: 'click' } });
    expect(screen.getByText('This link works only once.')).toBeVisible();
    expect(document.title).not.toContain('h-1');
    expect(call(deps)).not.toHaveBeenCalled();
    await user.dblClick(screen.getByRole('button', { name: 'Continue' }));
    await arrive();
    expect(call(deps).mock.calls).toEqual([['h-1']]);
    expect(button()).not.toBeInTheDocument();
  });

  it('otherwise is used on opening, without a button', async () => {
    const deps = await open(path, { config: { oneTimeLinks: 'auto' } });
    expect(button()).not.toBeInTheDocument();
    expect(call(deps).mock.calls).toEqual([['h-1']]);
  });
});

it('the page says that it waits for the link', () => {
  renderView(<LinkGate onOpen={null} />);
  expect(screen.getByRole('heading', { name: 'Opening your link' })).toBeVisible();
  expect(screen.getByRole('status')).toHaveTextContent('Opening your link');
  expect(screen.queryByRole('button')).not.toBeInTheDocument();
});

describe('the API key and its secret', () => {
  const box = (name: RegExp) => screen.getByRole('button', { name });
  const keyBox = () => box(/^API key/);
  const secretBox = () => box(/^API secret/);
  const press = async (target: HTMLElement) => {
    await user.click(target);
    await arrive();
  };
  const selected = () => document.getSelection()?.toString();

  it('are shown as text, with the focus on the heading', async () => {
    await open('/secret-key/h-1');
    expect(screen.getByRole('heading', { level: 1, name: 'Your API key' })).toHaveFocus();
    expect(
      screen.getByText('Key and secret are shown only once. Click a box to copy its value.'),
    ).toBeVisible();
    expect(keyBox()).toHaveTextContent('key-<b>1</b>');
    expect(secretBox()).toHaveTextContent('secret-2');
    expect(document.title).not.toMatch(/key-|secret-2|h-1/);
  });

  it('are selected if the clipboard is refused, and the page names the keys to press', async () => {
    const deps = await open('/secret-key/h-1');
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

  it('are shown once: a page from the back/forward cache shows that the link has expired', async () => {
    const deps = await open('/secret-key/h-1');
    act(() => {
      deps.pageLife.emit('left');
      deps.pageLife.emit('restored');
    });
    await arrive();
    expect(await screen.findByRole('heading', { name: 'Your Link Has Expired' })).toBeVisible();
    expect(document.body).not.toHaveTextContent(/key-|secret-2/);
  });

  it('have a notice of the copy that is announced at each press', () => {
    const keys = (times: number) => {
      const copied: ComponentProps<typeof ApiKeys>['copied'] = { which: 'apiKey', outcome: 'copied', times };
      return <ApiKeys {...values} copied={copied} onCopy={() => undefined} />;
    };
    const { rerender } = renderView(keys(1));
    const first = screen.getByText('API key copied');
    rerender(keys(2));
    expect(screen.getByText('API key copied')).not.toBe(first);
  });
});

describe('the page of an expired link', () => {
  it('has the deployment’s support contact and marketing site', async () => {
    const { config } = await open('/unauthorized');
    expect(screen.getByRole('heading', { name: 'Your Link Has Expired' })).toBeVisible();
    expect(document.title).toContain('Your Link Has Expired');
    expect(screen.getByText('Sorry, your link is either invalid or expired.')).toBeVisible();
    const { supportEmail, marketingSite } = config.links;
    expect(screen.getByRole('link', { name: supportEmail })).toHaveAttribute(
      'href',
      `mailto:${supportEmail}`,
    );
    expect(screen.getByRole('link', { name: 'Visit our website' })).toHaveAttribute('href', marketingSite);
  });

  it.each(['/redirect/h-1', '/secret-key/h-1', '/activate/%c3'])(
    'replaces %s without its words',
    async (path) => {
      const deps = await open(path, { refused: true });
      expect(screen.getByRole('heading', { name: 'Your Link Has Expired' })).toBeVisible();
      expect(deps.navigation.address()).toBe('/unauthorized');
      expect(deps.navigation.pushes).toEqual([]);
      expect(document.body).not.toHaveTextContent('server words');
    },
  );
});
