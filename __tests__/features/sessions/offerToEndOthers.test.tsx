/** Tests otherSessions.slice and showFailure.saga. */
import { identityPasswordSubmitted } from '@features/auth/verify-identity/verification.slice';
import { turnOffRequested } from '@features/mfa';
import { accountChanged, sessionEnded } from '@features/session';
import { ApiError } from '@shared/api/apiError';
import type { SessionEntry } from '@features/sessions/sessions.calls';
import { linkFollowed } from '@shared/routing/location.slice';
import { act, screen, within } from '@testing-library/react';
import { severalPersonas, tokenPair, userAttributes } from '../../support/builders';
import { fakeDeps, type FakeDeps } from '../../support/fakeDeps';
import { later } from '../../support/later';
import { openApp, settle, type OpenApp } from '../../support/openApp';
import { renderApp, user } from '../../support/renderApp';
import { put } from '../../support/sessionCookies';
import { openInSession, openInSetupMode, reachCode, sendCode } from '../mfa/enrolment/openEnrolment';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));

const at = '2026-11-02T09:30:00Z';
const here: SessionEntry = {
  ...{ id: 's_1', current: true, startedAt: at, lastSeenAt: at, method: 'basic' },
  ...{ browser: null, system: null, network: null },
};
const elsewhere = { ...here, id: 's_2', current: false };
const text = 'You are also signed in elsewhere.';
const label = 'Sign Out Everywhere Else';

const arrange = ({ sessions }: FakeDeps['api']): void => {
  sessions.list.mockResolvedValue([here, elsewhere]);
  sessions.end.mockResolvedValue(undefined);
};
const send = async (app: OpenApp, action: { readonly type: string }) => await act(() => app.send(action));
const press = async (button: HTMLElement) => {
  await user.click(button);
  await act(settle);
};

/** At the settings of a user with a password and a second step. */
async function openSettings(extensions: readonly string[] = ['sessions']) {
  const deps = fakeDeps({ path: '/account-settings', config: { extensions } });
  const tokens = tokenPair({ personas: severalPersonas });
  put(deps, tokens);
  const { api } = deps;
  arrange(api);
  api.users.attributes.mockResolvedValue(userAttributes({ isAppActive: true }));
  api.auth.validatePassword.mockResolvedValue({ authVerificationToken: 'vt-1' });
  api.mfa.disable.mockResolvedValue(undefined);
  const app = openApp(deps);
  await settle();
  await renderApp(app);
  await act(settle);
  return { app, deps, sessions: api.sessions, token: tokens.token };
}

async function turnOff(app: OpenApp): Promise<void> {
  await send(app, turnOffRequested());
  await act(async () => {
    app.answerDialog(true);
    await settle();
  });
  await send(app, identityPasswordSubmitted('Corr3ct-horse'));
}

async function openWithOffer() {
  const opened = await openSettings();
  await turnOff(opened.app);
  return opened;
}

describe('a user who is signed in elsewhere', () => {
  it('is offered to sign out there, above the sections, after the second step was turned off', async () => {
    const { app, sessions, token } = await openSettings();
    // The region is there before its text, so that a screen reader says it.
    for (const region of screen.getAllByRole('status')) expect(region).toBeEmptyDOMElement();
    expect(sessions.list).not.toHaveBeenCalled();
    await turnOff(app);
    expect(app.address()).toBe('/account-settings');
    const offer = screen.getAllByRole('status').find((region) => region.textContent.startsWith(text));
    expect(within(offer ?? document.body).getByRole('button', { name: label })).toBeVisible();
    const first = screen.getByRole('region', { name: '2-Step Verification' });
    expect(offer?.compareDocumentPosition(first)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    expect(sessions.list.mock.calls).toEqual([[token]]);
  });

  it('is offered it on the screen that confirms the set-up of the second step', async () => {
    const app = await reachCode('app', await openInSession({ config: { extensions: ['sessions'] } }));
    arrange(app.deps.api);
    await renderApp(app);
    await act(() => sendCode(app, '123456'));
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('2-Step Verification is on');
    expect(screen.getByText(text)).toBeVisible();
    await press(screen.getByRole('link', { name: 'Done' }));
    expect(app.address()).toBe('/account-settings');
    expect(screen.queryByText(text)).toBeNull();
  });

  it('is offered nothing in setup mode', async () => {
    const app = await reachCode('app', await openInSetupMode({ config: { extensions: ['sessions'] } }));
    arrange(app.deps.api);
    await sendCode(app, '123456');
    expect(app.address()).toBe('/mfa-activated?method=qrcode');
    expect(app.deps.api.sessions.list).not.toHaveBeenCalled();
  });

  it('is offered nothing without the extension', async () => {
    const { app, sessions } = await openSettings([]);
    await turnOff(app);
    expect(screen.queryByText(text)).toBeNull();
    expect(sessions.list).not.toHaveBeenCalled();
  });

  it('is offered nothing when the change has failed', async () => {
    const { app, deps, sessions } = await openSettings();
    deps.api.mfa.disable.mockRejectedValue(new ApiError('network'));
    await turnOff(app);
    expect(sessions.list).not.toHaveBeenCalled();
  });
});

describe('nothing is offered', () => {
  it.each([
    ['there is no other session', ({ sessions }: FakeDeps['api']) => sessions.list.mockResolvedValue([here])],
    [
      'the list of sessions fails',
      ({ sessions }: FakeDeps['api']) => sessions.list.mockRejectedValue(new ApiError('network')),
    ],
  ])('when %s', async (_when, answer) => {
    const { app, deps, sessions } = await openSettings();
    answer(deps.api);
    await turnOff(app);
    expect(sessions.list).toHaveBeenCalledTimes(1);
    expect(screen.queryByText(text)).toBeNull();
    expect(app.dialog()).toBeUndefined();
  });
});

describe('Sign Out Everywhere Else', () => {
  const button = () => screen.getByRole('button', { name: label });
  const confirm = async () =>
    await press(within(screen.getByRole('alertdialog')).getByRole('button', { name: label }));

  it('asks, ends the other sessions, and the offer goes', async () => {
    const { sessions, token } = await openWithOffer();
    await press(button());
    expect(screen.getByRole('alertdialog')).toHaveTextContent('You stay signed in on this device only.');
    await press(screen.getByRole('button', { name: 'Cancel' }));
    expect(sessions.end).not.toHaveBeenCalled();
    const ending = later(sessions.end);
    await press(button());
    await confirm();
    expect(button()).toHaveAttribute('aria-busy', 'true');
    await act(() => ending.answer(undefined));
    expect(sessions.end.mock.calls).toEqual([[token, { others: true }]]);
    expect(screen.queryByText(text)).toBeNull();
    // The list is not loaded again for it.
    expect(sessions.list).toHaveBeenCalledTimes(1);
  });

  it('shows the fallback message after a failure, and can be pressed again', async () => {
    const { app, sessions } = await openWithOffer();
    sessions.end.mockRejectedValueOnce(new ApiError('network'));
    await press(button());
    await confirm();
    expect(app.dialog()).toMatchObject({ title: 'Devices and Activity', trouble: 'unreachable' });
    await press(screen.getByRole('button', { name: 'Ok' }));
    await press(button());
    await confirm();
    expect(sessions.end).toHaveBeenCalledTimes(2);
    expect(screen.queryByText(text)).toBeNull();
  });
});

describe('the offer disappears', () => {
  it('when the settings are left, with its confirmation', async () => {
    const { app } = await openWithOffer();
    await press(screen.getByRole('button', { name: label }));
    await send(app, linkFollowed({ to: '/account-activity' }));
    expect(app.dialog()).toBeUndefined();
    await send(app, linkFollowed({ to: '/account-settings' }));
    expect(screen.queryByText(text)).toBeNull();
  });

  it('when the other sessions have ended, as the live events say', async () => {
    const { app, sessions } = await openWithOffer();
    await send(app, accountChanged({ what: ['profile'] }));
    expect(sessions.list).toHaveBeenCalledTimes(1);
    sessions.list.mockRejectedValueOnce(new ApiError('network'));
    await send(app, accountChanged({ what: ['sessions'] }));
    expect(screen.getByText(text)).toBeVisible();
    sessions.list.mockResolvedValue([here]);
    await send(app, accountChanged({ what: ['sessions'] }));
    expect(screen.queryByText(text)).toBeNull();
  });

  it('when the session ends, before the next user sees it', async () => {
    const { app } = await openWithOffer();
    await send(app, sessionEnded({ reason: 'expired' }));
    expect(app.state().sessions.offer).toEqual({ phase: 'none' });
  });
});
