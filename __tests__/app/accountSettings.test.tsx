import { act, fireEvent, screen, within } from '@testing-library/react';
import { openInSetupMode, openInSession, type OpenSetup } from '../features/mfa/enrolment/openEnrolment';
import { settle } from '../support/openApp';
import { renderApp } from '../support/renderApp';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));

const path = '/account-settings';

const show = async (app: OpenSetup): Promise<OpenSetup> => {
  await renderApp(app);
  return app;
};

const buttonsIn = (part: HTMLElement) => within(part).queryAllByRole('button');
const twoStep = () => screen.getByRole('region', { name: '2-Step Verification' });

describe('the 2-step section of the account settings', () => {
  it.each([
    ['Change Number', 'text'],
    ['Add New App', 'app'],
  ] as const)('with %s sets the method up again, after another proof of identity', async (name, method) => {
    const app = await show(await openInSession({ path, active: method }));
    fireEvent.click(screen.getByRole('button', { name }));
    await act(settle);
    expect(app.setup()).toEqual({ phase: 'chosen', method });
    expect(app.address()).toBe('/ask-password/enable');
  });

  it.each(['text', 'app'] as const)('offers only the sign-in after a set-up of %s', async (active) => {
    await show(await openInSetupMode({ path, active }));
    expect(buttonsIn(twoStep()).map(({ textContent }) => textContent)).toEqual(['Sign In']);
  });
});

describe('the password section of the account settings', () => {
  it.each([
    ['with a password', () => openInSession({ path }), ['Change Password']],
    ['without a password', () => openInSession({ path, facts: { method: 'other' } }), []],
    ['in setup mode', () => openInSetupMode({ path }), []],
  ] as const)('offers its change only where it is possible: %s', async (_who, open, names) => {
    await show(await open());
    const section = screen.getByRole('region', { name: 'Password' });
    expect(buttonsIn(section).map(({ textContent }) => textContent)).toEqual(names);
  });
});

describe('a field of the account that cannot be read', () => {
  const all = { isTextActive: false, isAppActive: true, lastReset: null };
  const isOn = 'Authenticator App';
  const neverChanged = 'You have never changed your password';
  const noStatus = 'Your 2-step status could not be loaded.';
  const noDate = 'The date of your last password change could not be loaded.';

  it.each([
    ['the date', { lastReset: undefined }, [isOn, noDate]],
    ['the status', { isAppActive: undefined }, [noStatus, neverChanged]],
    ['the status of a method that is not shown', { isTextActive: undefined }, [isOn, neverChanged]],
    ['whether any is on', { isTextActive: undefined, isAppActive: false }, [noStatus, neverChanged]],
  ])('affects only the section that needs it: %s', async (_what, odd, shown) => {
    const app = await openInSession({ path: '/mfa-options' });
    app.deps.api.users.attributes.mockResolvedValue({ email: '', ...all, ...odd });
    await app.go(path);
    await show(app);
    for (const text of shown) expect(screen.getByText(text)).toBeVisible();
  });
});

describe('the header of the account settings', () => {
  it.each([
    ['Back and Logout', 'none', ['Back', 'Logout']],
    ['only Logout in a parent’s frame', 'trusted', ['Logout']],
  ] as const)('offers %s', async (_what, embedding, names) => {
    await show(await openInSession({ path, embedding }));
    expect(buttonsIn(screen.getByRole('banner')).map(({ textContent }) => textContent)).toEqual(names);
  });

  it('offers neither on a public screen, also to a signed-in user', async () => {
    await show(await openInSession({ path: '/unauthorized' }));
    expect(screen.getByRole('heading', { name: 'Your Link Has Expired' })).toBeVisible();
    expect(buttonsIn(screen.getByRole('banner'))).toEqual([]);
  });
});
