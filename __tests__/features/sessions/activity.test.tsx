import { featuresOf } from '@app/features';
import { accountChanged, logoutRequested } from '@features/session';
import { ApiError } from '@shared/api/apiError';
import { selectActivity } from '@features/sessions/activity.slice';
import { ActivityLists } from '@features/sessions/ActivityLists';
import type { ActivityPage, SessionEntry, TrustedDevice } from '@features/sessions/sessions.calls';
import type { Feature } from '@shared/deps';
import { createChunk } from '@shared/chunk';
import { FeaturesContext } from '@shared/contexts';
import { eventDetail } from '@shared/eventDetail';
import { act, screen, within } from '@testing-library/react';
import * as v from 'valibot';
import { severalPersonas, tokenPair, userAttributes } from '../../support/builders';
import { fakeDeps, type TabOptions } from '../../support/fakeDeps';
import { openApp, settle } from '../../support/openApp';
import { later } from '../../support/later';
import { renderApp, user } from '../../support/renderApp';
import { put, putSetup } from '../../support/sessionCookies';
import { renderView } from '../../support/renderView';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));

const at = '2026-11-02T09:30:00Z';
const laptop = { browser: 'Firefox 153', system: 'Windows' };
const here: SessionEntry = {
  id: 's_1',
  current: true,
  startedAt: at,
  lastSeenAt: at,
  method: 'basic',
  network: '203.0.113.0/24',
  ...laptop,
};
const phone: SessionEntry = { ...here, id: 's_2', current: false, browser: null, system: 'Android' };
const device: TrustedDevice = { id: 'd_1', trustedAt: at, expiresAt: at, ...laptop };
const sent = { id: '9', at, kind: 'signed-in', method: 'google', network: null, ...laptop };
const event: ActivityPage['entries'][number] = { ...sent, added: sent };

const withSessions: TabOptions = { path: '/account-activity', config: { extensions: ['sessions'] } };

/** A user with a session opens the page; the service responds unless `arrange` says otherwise. */
async function open(
  arrange: (deps: ReturnType<typeof fakeDeps>) => void = () => undefined,
  tab = withSessions,
) {
  const deps = fakeDeps(tab);
  const tokens = tokenPair({ personas: severalPersonas });
  put(deps, tokens);
  const { sessions, users } = deps.api;
  users.attributes.mockResolvedValue(userAttributes());
  sessions.list.mockResolvedValue([here, phone]);
  sessions.trustedDevices.mockResolvedValue([device]);
  sessions.activity.mockResolvedValue({ entries: [event], next: '9' });
  sessions.end.mockResolvedValue(undefined);
  sessions.forgetDevices.mockResolvedValue(undefined);
  arrange(deps);
  const app = openApp(deps);
  await settle();
  await renderApp(app);
  return { app, deps, sessions, token: tokens.token };
}

const part = (name: string) => within(screen.getByRole('region', { name }));
const signedIn = 'Where you are signed in';
const press = async (button: HTMLElement) => {
  await user.click(button);
  await act(settle);
};

describe('devices and activity', () => {
  it('shows where the user is signed in, which devices are trusted, and what happened', async () => {
    const { sessions, token } = await open();
    const rows = part(signedIn).getAllByRole('listitem');
    expect(rows).toHaveLength(2);
    expect(rows[0]).toHaveTextContent(/^Firefox 153 on WindowsThis device/);
    expect(rows[0]).toHaveTextContent(/with a passwordNetwork 203\.0\.113\.0\/24$/);
    expect(part(signedIn).getAllByRole('button', { name: 'Sign Out' })).toHaveLength(1);
    expect(rows[1]).toHaveTextContent(/^Android/);
    expect(part('Trusted devices').getByRole('button', { name: 'Forget' })).toBeVisible();
    expect(part('Recent activity').getByRole('listitem')).toHaveTextContent(/^Signed in with Google/);
    expect(sessions.list.mock.calls).toEqual([[token]]);
    expect(screen.getByRole('link', { name: 'Settings' })).toHaveAttribute('href', '/account-settings');
  });

  it('leaves out events of kinds that no feature knows', async () => {
    const later = ['of-a-later-version', 'toString'].map((kind) => ({ ...event, id: kind, kind }));
    await open(({ api }) =>
      api.sessions.activity.mockResolvedValue({ entries: [...later, event], next: null }),
    );
    expect(part('Recent activity').getByRole('listitem')).toHaveTextContent(/^Signed in with Google/);
  });

  it('shows what the feature of an event has added to it, and nothing else of it enters the state', async () => {
    const badges: Feature = {
      name: 'badges',
      eventTexts: createChunk(() =>
        Promise.resolve({
          eventMessages: { activity: { 'badge-lost': { id: 'badges.lost', message: 'Badge lost' } } },
          eventDetails: {
            'badge-lost': eventDetail(v.object({ badge: v.string() }), ({ badge }) => <p>{badge}</p>),
          },
        }),
      ),
    };
    const features: readonly Feature[] = [...featuresOf({ extensions: ['sessions'] }), badges];
    const lost = (id: string, more: object) => ({
      ...event,
      ...{ id, kind: 'badge-lost', added: { ...sent, ...more } },
    });
    const { app } = await open(
      ({ api }) =>
        api.sessions.activity.mockResolvedValue({
          entries: [
            lost('8', { badge: 'Blue', other: 'hidden' }),
            lost('7', { badge: 1 }),
            { ...event, added: { ...sent, badge: 'hidden' } },
          ],
          next: null,
        }),
      { ...withSessions, overrides: { features } },
    );
    const state = selectActivity(app.state());
    expect(JSON.stringify(state)).not.toContain('hidden');
    await act(() => app.visit('/mfa-options'));
    renderView(
      <FeaturesContext value={features}>
        <ActivityLists
          {...state}
          takesFocus
          {...{ onTryAgain: jest.fn(), onEnd: jest.fn(), onForget: jest.fn(), onMore: jest.fn() }}
        >
          {null}
        </ActivityLists>
      </FeaturesContext>,
    );
    const rows = part('Recent activity').getAllByRole('listitem');
    expect(rows.map((row) => within(row).getAllByRole('paragraph')[1]?.textContent)).toEqual([
      'Blue',
      expect.stringContaining('2026'),
      expect.stringContaining('2026'),
    ]);
  });

  it('signs another session out, and loads the lists again', async () => {
    const { sessions, token } = await open();
    sessions.list.mockResolvedValue([here]);
    await press(part(signedIn).getByRole('button', { name: 'Sign Out' }));
    expect(sessions.end.mock.calls).toEqual([[token, { ids: ['s_2'] }]]);
    expect(part(signedIn).getAllByRole('listitem')).toHaveLength(1);
    expect(part(signedIn).queryByRole('button')).toBeNull();
    // The focus of the button that went.
    expect(part(signedIn).getByRole('heading')).toHaveFocus();
  });

  it('signs out everywhere else only after a confirmation', async () => {
    const { sessions, token } = await open();
    const begin = () => press(part(signedIn).getByRole('button', { name: 'Sign Out Everywhere Else' }));
    await begin();
    await press(screen.getByRole('button', { name: 'Cancel' }));
    expect(sessions.end).not.toHaveBeenCalled();
    await begin();
    await press(
      within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Sign Out Everywhere Else' }),
    );
    expect(sessions.end.mock.calls).toEqual([[token, { others: true }]]);
  });

  it('forgets a trusted device', async () => {
    const { sessions, token } = await open();
    sessions.trustedDevices.mockResolvedValue([]);
    await press(screen.getByRole('button', { name: 'Forget' }));
    expect(sessions.forgetDevices.mock.calls).toEqual([[token, { ids: ['d_1'] }]]);
    expect(part('Trusted devices').queryByRole('listitem')).toBeNull();
  });

  it('shows more of the activity below what is shown', async () => {
    const { sessions, token } = await open();
    sessions.activity.mockResolvedValue({ entries: [{ ...event, id: '8', kind: 'locked' }], next: null });
    await press(screen.getByRole('button', { name: 'Show More' }));
    expect(sessions.activity.mock.lastCall).toEqual([token, '9']);
    const rows = part('Recent activity').getAllByRole('listitem');
    expect(rows.map(({ textContent }) => textContent.slice(0, 9))).toEqual(['Signed in', 'Account l']);
    expect(screen.queryByRole('button', { name: 'Show More' })).toBeNull();
  });

  it('adds nothing to a list that was loaded again in the meantime', async () => {
    const { app, sessions } = await open();
    const next = later(sessions.activity);
    await press(screen.getByRole('button', { name: 'Show More' }));
    sessions.activity.mockResolvedValue({ entries: [{ ...event, id: '10', kind: 'locked' }], next: '10' });
    await act(() => app.send(accountChanged({ what: ['sessions'] })));
    await act(() => next.answer({ entries: [{ ...event, id: '8' }], next: null }));
    expect(part('Recent activity').getByRole('listitem')).toHaveTextContent(/^Account locked/);
  });

  it('loads a list that failed again, and the others not', async () => {
    const { sessions } = await open(({ api }) =>
      api.sessions.trustedDevices.mockRejectedValue(new ApiError('network')),
    );
    sessions.trustedDevices.mockResolvedValue([device]);
    await press(part('Trusted devices').getByRole('button', { name: 'Try Again' }));
    expect(part('Trusted devices').getByRole('listitem')).toBeVisible();
    expect(sessions.list).toHaveBeenCalledTimes(1);
  });

  it('shows that an action failed, and then the lists of the service', async () => {
    const { sessions } = await open();
    sessions.end.mockRejectedValue(new ApiError('server', { status: 500 }));
    await press(part(signedIn).getByRole('button', { name: 'Sign Out' }));
    expect(screen.getByRole('alertdialog')).toHaveTextContent('An unexpected error occurred.');
    expect(sessions.list).toHaveBeenCalledTimes(2);
  });

  it('loads the lists again when the account was changed elsewhere, and keeps what is shown meanwhile', async () => {
    const { app, sessions } = await open();
    sessions.list.mockReturnValue(new Promise(() => undefined));
    await act(() => app.send(accountChanged({ what: ['sessions'] })));
    expect(sessions.list).toHaveBeenCalledTimes(2);
    expect(part(signedIn).getAllByRole('listitem')).toHaveLength(2);
  });

  it('goes on when the part of another feature crashes', async () => {
    const features: readonly Feature[] = [
      ...featuresOf({ extensions: ['sessions'] }),
      {
        name: 'other',
        *whileActivityShown() {
          throw new Error('broken');
        },
      },
    ];
    const { deps, sessions } = await open(undefined, { ...withSessions, overrides: { features } });
    expect(deps.log.errors).toEqual([{ event: 'saga crashed: other', error: new Error('broken') }]);
    await press(part(signedIn).getByRole('button', { name: 'Sign Out' }));
    expect(sessions.end).toHaveBeenCalledTimes(1);
  });

  it('keeps nothing after the sign-out, not even a late response', async () => {
    let respond: (sessions: readonly SessionEntry[]) => void = () => undefined;
    const { app } = await open(({ api }) =>
      api.sessions.list.mockReturnValue(
        new Promise<SessionEntry[]>((resolve) => {
          respond = (entries) => resolve([...entries]);
        }),
      ),
    );
    await act(() => app.send(logoutRequested()));
    respond([here]);
    await act(settle);
    const { sessions, devices, events } = app.state().sessions.activity;
    expect([sessions.phase, devices.phase, events.phase]).toEqual(['absent', 'absent', 'absent']);
  });
});

describe('the section of the account settings', () => {
  it('leads to the page', async () => {
    const { app } = await open(undefined, { ...withSessions, path: '/account-settings' });
    await press(part('Devices and Activity').getByRole('button', { name: 'Review' }));
    expect(app.address()).toBe('/account-activity');
    expect(screen.getByRole('heading', { name: signedIn })).toBeVisible();
  });

  it('does not exist without the extension, and its page counts as an unknown address', async () => {
    const { app, sessions } = await open(undefined, { path: '/account-activity' });
    expect(app.address()).toBe('/account-settings');
    expect(screen.queryByText('Devices and Activity')).toBeNull();
    expect(sessions.list).not.toHaveBeenCalled();
  });

  it('does not exist in setup mode, which cannot enter the page either', async () => {
    const deps = fakeDeps(withSessions);
    putSetup(deps);
    deps.api.users.attributes.mockResolvedValue(userAttributes());
    const app = openApp(deps);
    await settle();
    await renderApp(app);
    expect(app.address()).toBe('/account-settings');
    expect(screen.getByRole('region', { name: 'Password' })).toBeVisible();
    expect(screen.queryByText('Devices and Activity')).toBeNull();
  });
});
