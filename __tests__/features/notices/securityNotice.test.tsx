import { ApiError } from '@shared/api/apiError';
import type { SecurityNotice } from '@features/notices/notices.calls';
import { act, screen, within } from '@testing-library/react';
import { fakeDeps, type FakeDeps, type TabOptions } from '../../support/fakeDeps';
import { openApp, settle } from '../../support/openApp';
import { renderApp, user } from '../../support/renderApp';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));

const notice: SecurityNotice = {
  kind: 'new-device',
  at: '2026-11-02T09:30:00Z',
  browser: 'Firefox 153',
  system: 'Windows',
  network: '203.0.113.0/24',
  state: 'open',
};
const link: TabOptions = { path: '/security-notice/s3cret', config: { extensions: ['notices'] } };

async function open(arrange: (deps: FakeDeps) => void = () => undefined, tab = link) {
  const deps = fakeDeps(tab);
  deps.api.notices.notice.mockResolvedValue(notice);
  arrange(deps);
  const app = openApp(deps);
  await settle();
  await renderApp(app);
  return { app, deps, notices: deps.api.notices };
}

const press = async (name: string) => {
  await user.click(screen.getByRole('button', { name }));
  await act(settle);
};
const noResponse = new ApiError('network');
const refusal = new ApiError('server', { status: 404 });
const unreached = 'We could not reach the service. Check your connection and try again.';

describe('the link of a security notice', () => {
  it('asks about the event, posts nothing, and its id is not in the store', async () => {
    const { app, notices } = await open();
    expect(screen.getByRole('heading', { name: 'Was this you?' })).toBeVisible();
    expect(screen.getByText('Someone signed in to your account from a new device.')).toBeVisible();
    expect(screen.getByText('Firefox 153 on Windows')).toBeVisible();
    expect(notices.notice.mock.calls).toEqual([['s3cret']]);
    expect(notices.answer).not.toHaveBeenCalled();
    expect(JSON.stringify(app.state())).not.toContain('s3cret');
  });

  it('asks about an event of a later version in general words', async () => {
    await open(({ api }) => api.notices.notice.mockResolvedValue({ ...notice, kind: 'toString' }));
    expect(screen.getByText('Something changed in your account.')).toBeVisible();
  });

  it('is not used while the page is hidden', async () => {
    const { deps, notices } = await open(({ pageLife }) => pageLife.emit('hidden'));
    expect(notices.notice).not.toHaveBeenCalled();
    await act(async () => {
      deps.pageLife.emit('shown');
      await settle();
    });
    expect(notices.notice).toHaveBeenCalledTimes(1);
  });

  it('that was opened by a press stays in the group of its button, which a screen reader has just left', async () => {
    const { notices } = await open(
      ({ api }) => api.notices.notice.mockReturnValue(new Promise(() => undefined)),
      {
        ...link,
        config: { ...link.config, oneTimeLinks: 'click' },
      },
    );
    const groups = () =>
      screen
        .getAllByRole('group')
        .map((one) => within(one).queryByRole('heading', { name: 'Opening your link' }) !== null);
    const before = groups();
    await press('Continue');
    expect(notices.notice).toHaveBeenCalledTimes(1);
    expect(groups()).toEqual(before);
  });

  it.each([
    ['is answered already', { ...notice, state: 'denied' } as const],
    ['has expired', { ...notice, state: 'expired' } as const],
    ['is unknown', refusal],
  ])('that %s leads to the page for invalid links', async (_what, response) => {
    const { app } = await open(({ api }) =>
      response instanceof ApiError
        ? api.notices.notice.mockRejectedValue(response)
        : api.notices.notice.mockResolvedValue(response),
    );
    expect(app.address()).toBe('/unauthorized');
  });

  it.each([
    ['no response', noResponse],
    ['a 5xx', new ApiError('server', { status: 503 })],
  ])('is tried again on a press after %s', async (_what, error) => {
    const { notices } = await open(({ api }) => api.notices.notice.mockRejectedValueOnce(error));
    expect(screen.getByRole('alert')).toHaveTextContent(unreached);
    await press('Try Again');
    expect(screen.getByRole('heading', { name: 'Was this you?' })).toBeVisible();
    expect(notices.notice).toHaveBeenCalledTimes(2);
  });

  it('is an unknown address without the extension', async () => {
    const { app, notices } = await open(undefined, { path: '/security-notice/s3cret' });
    expect(app.address()).toBe('/login');
    expect(notices.notice).not.toHaveBeenCalled();
  });
});

describe('the answer to a security notice', () => {
  it('Yes: changes nothing', async () => {
    const { app, notices } = await open(({ api }) => api.notices.answer.mockResolvedValue(null));
    await press('Yes, It Was Me');
    expect(notices.answer.mock.calls).toEqual([['s3cret', true]]);
    expect(screen.getByText('Thank you. Nothing has changed.')).toBeVisible();
    expect(app.address()).toBe('/security-notice/s3cret');
  });

  it('No: leads to a new password, whose link is not in the store', async () => {
    const { app, notices } = await open(({ api }) => api.notices.answer.mockResolvedValue('r3set'));
    await press('No, Secure My Account');
    expect(notices.answer.mock.calls).toEqual([['s3cret', false]]);
    expect(app.address()).toBe('/reset-password/r3set');
    expect(JSON.stringify(app.state())).not.toContain('r3set');
  });

  it('No, of an account without a password: leads to the sign-in', async () => {
    await open(({ api }) => api.notices.answer.mockResolvedValue(null));
    await press('No, Secure My Account');
    expect(screen.getByText('Your account is secured.')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Sign In' })).toHaveAttribute('href', '/login');
  });

  it('without a response: the same answer is sent again on a press', async () => {
    const { app, notices } = await open(({ api }) =>
      api.notices.answer.mockRejectedValueOnce(noResponse).mockResolvedValue('r3set'),
    );
    await press('No, Secure My Account');
    expect(screen.getByRole('alert')).toHaveTextContent(unreached);
    await press('Try Again');
    expect(notices.answer.mock.calls).toEqual([
      ['s3cret', false],
      ['s3cret', false],
    ]);
    expect(app.address()).toBe('/reset-password/r3set');
  });

  it('that the service refuses leads to the page for invalid links', async () => {
    const { app } = await open(({ api }) => api.notices.answer.mockRejectedValue(refusal));
    await press('Yes, It Was Me');
    expect(app.address()).toBe('/unauthorized');
  });
});
