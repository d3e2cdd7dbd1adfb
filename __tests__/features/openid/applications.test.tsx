import { features } from '@app/features';
import type { ConnectedApplication } from '@features/openid/openid.calls';
import { accountChanged, logoutRequested } from '@features/session';
import { ApiError } from '@shared/api/apiError';
import type { Feature } from '@shared/deps';
import { act, screen, within } from '@testing-library/react';
import { answerFeatures } from '../../support/answerFeatures';
import { severalPersonas, tokenPair } from '../../support/builders';
import { fakeDeps, type FakeDeps, type TabOptions } from '../../support/fakeDeps';
import { later } from '../../support/later';
import { openApp, settle } from '../../support/openApp';
import { renderApp, user } from '../../support/renderApp';
import { put } from '../../support/sessionCookies';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));

const reports: ConnectedApplication = {
  id: 'reports',
  name: 'Reports',
  url: 'https://reports.example.com/',
  what: ['name', 'email'],
  connectedAt: '2026-11-02T09:30:00Z',
};
const portal: ConnectedApplication = {
  ...{ id: 'partner-portal', name: '<b>Portal</b>', url: null, what: ['applications', 'offline'] },
  connectedAt: reports.connectedAt,
};
const title = 'Connected applications';
const withBoth: TabOptions = { path: '/account-activity', config: { extensions: ['sessions', 'openid'] } };

/** A user with a session opens the page; the service responds unless `arrange` says otherwise. */
async function open(arrange: (deps: FakeDeps) => void = () => undefined, tab = withBoth) {
  const deps = fakeDeps(tab);
  const tokens = tokenPair({ personas: severalPersonas });
  put(deps, tokens);
  answerFeatures(deps.api);
  const { openid } = deps.api;
  openid.applications.mockResolvedValue([reports, portal]);
  openid.disconnect.mockResolvedValue(undefined);
  arrange(deps);
  const app = openApp(deps);
  await settle();
  await renderApp(app);
  return { app, openid, token: tokens.token };
}

const part = () => within(screen.getByRole('region', { name: title }));
const press = async (button: HTMLElement) => {
  await user.click(button);
  await act(settle);
};
const disconnect = () => press(part().getByRole('button', { name: 'Disconnect Reports' }));
const answer = (name: string) => press(within(screen.getByRole('alertdialog')).getByRole('button', { name }));

/** The screen is that of another feature. */
const describeShown = features.some(({ routes = {} }: Feature) => 'accountActivity' in routes)
  ? describe
  : describe.skip;

describeShown('the connected applications', () => {
  it('are listed with what they see, and with a link to those that have an address', async () => {
    const { openid, token } = await open();
    expect(openid.applications.mock.calls).toEqual([[token]]);
    const rows = part().getAllByRole('listitem');
    expect(rows).toHaveLength(2);
    expect(rows[0]).toHaveTextContent(/^ReportsConnected since .*It sees: Your name · Your e-mail address/);
    expect(part().getByRole('link', { name: 'Reports' })).toHaveAttribute('href', reports.url);
    expect(rows[1]).toHaveTextContent(/^<b>Portal<\/b>Connected since/);
    expect(rows[1]).toHaveTextContent(
      /It sees: The applications you useIt stays connected while you are away/,
    );
    expect(part().getAllByRole('link')).toHaveLength(1);
  });

  it('are none', async () => {
    await open(({ api }) => api.openid.applications.mockResolvedValue([]));
    expect(part().getByText('No applications are connected.')).toBeVisible();
    expect(part().queryByRole('button')).toBeNull();
  });

  it('are waited for, and loaded again after a failure', async () => {
    const { openid } = await open(({ api }) =>
      api.openid.applications.mockRejectedValueOnce(new ApiError('network')),
    );
    expect(part().getByRole('alert')).toHaveTextContent('Your connected applications could not be loaded.');
    const response = later(openid.applications);
    await press(part().getByRole('button', { name: 'Try Again' }));
    expect(part().getByText('Loading your connected applications')).toBeInTheDocument();
    await act(() => response.answer([reports]));
    expect(part().getByRole('listitem')).toBeVisible();
  });

  it('are loaded again when the account was changed elsewhere, and stay meanwhile', async () => {
    const { app, openid } = await open();
    openid.applications.mockReturnValue(new Promise(() => undefined));
    await act(() => app.send(accountChanged({ what: ['sessions'] })));
    expect(openid.applications).toHaveBeenCalledTimes(2);
    expect(part().getAllByRole('listitem')).toHaveLength(2);
  });

  it('are forgotten after the sign-out', async () => {
    const { app } = await open();
    await act(() => app.send(logoutRequested()));
    expect(app.state().openid.applications).toEqual({
      ...{ list: { phase: 'absent' }, busy: null, disconnected: null },
    });
  });

  it.each([
    ['openid', ['sessions']],
    ['sessions', ['openid']],
  ])('do not exist without %s', async (_name, extensions) => {
    const { openid } = await open(undefined, { ...withBoth, config: { extensions } });
    expect(screen.queryByText(title)).toBeNull();
    expect(openid.applications).not.toHaveBeenCalled();
  });
});

describeShown("'Disconnect'", () => {
  it('makes no call before it is confirmed', async () => {
    const { openid } = await open();
    await disconnect();
    const dialog = screen.getByRole('alertdialog', { name: 'Disconnect Reports' });
    expect(dialog).toHaveTextContent('It loses access to your account until you sign in there again.');
    await answer('Cancel');
    expect(openid.disconnect).not.toHaveBeenCalled();
    expect(part().getAllByRole('listitem')).toHaveLength(2);
  });

  it('removes the application, says so, keeps the focus in the section, and loads the list again', async () => {
    const { openid, token } = await open();
    const done = later(openid.disconnect);
    await disconnect();
    await answer('Disconnect');
    expect(openid.disconnect.mock.calls).toEqual([[token, 'reports']]);
    const button = part().getByRole('button', { name: 'Disconnect Reports' });
    expect(button).toHaveAttribute('aria-busy', 'true');
    // As the browser does after the dialog.
    button.focus();
    await press(button);
    expect(screen.queryByRole('alertdialog')).toBeNull();
    openid.applications.mockResolvedValue([portal]);
    await act(() => done.answer(undefined));
    expect(part().getByRole('status')).toHaveTextContent('Reports is disconnected.');
    expect(part().getAllByRole('listitem')).toHaveLength(1);
    expect(part().getByRole('heading', { name: title })).toHaveFocus();
    expect(openid.applications).toHaveBeenCalledTimes(2);
  });

  it('counts an application that was disconnected elsewhere as disconnected', async () => {
    await open(({ api }) =>
      api.openid.disconnect.mockRejectedValue(
        new ApiError('server', { status: 404, serverCode: 'not_found' }),
      ),
    );
    await disconnect();
    await answer('Disconnect');
    expect(screen.queryByRole('alertdialog')).toBeNull();
    expect(part().getByRole('status')).toHaveTextContent('Reports is disconnected.');
  });

  it('that fails says so, and shows the list of the service', async () => {
    const { openid } = await open(({ api }) =>
      api.openid.disconnect.mockRejectedValue(new ApiError('server', { status: 500 })),
    );
    await disconnect();
    await answer('Disconnect');
    expect(screen.getByRole('alertdialog')).toHaveTextContent('An unexpected error occurred.');
    expect(openid.applications).toHaveBeenCalledTimes(2);
    expect(part().getByRole('status')).toBeEmptyDOMElement();
    await answer('Ok');
    expect(part().getByRole('button', { name: 'Disconnect Reports' })).toBeEnabled();
  });
});
