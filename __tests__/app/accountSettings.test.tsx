import { App } from '@app/App';
import { act, fireEvent, render, screen, within } from '@testing-library/react';
import { openInSetupMode, openSignedIn, type OpenSetup } from '../features/mfa/setup/openSetup';
import { settle } from '../support/openApp';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));
afterEach(() => jest.useRealTimers());

const path = '/account-settings';

const show = async (app: OpenSetup): Promise<OpenSetup> => {
  render(<App store={app.store} config={app.deps.config} />);
  await act(settle);
  return app;
};

const buttonsIn = (part: HTMLElement) => within(part).queryAllByRole('button');
const twoStep = () => screen.getByRole('region', { name: '2-Step Verification' });

describe('the 2-step section of the account settings', () => {
  it.each([
    ['Change Number', 'sms'],
    ['Add New App', 'qrcode'],
  ] as const)(
    'with %s sets the active method up again, after another proof of identity',
    async (name, method) => {
      const app = await show(await openSignedIn({ path, active: method }));
      fireEvent.click(screen.getByRole('button', { name }));
      await act(settle);
      expect(app.setup()).toEqual({ phase: 'chosen', method });
      expect(app.address()).toBe('/ask-password/enable');
    },
  );

  it.each(['sms', 'qrcode'] as const)(
    'offers only the sign-in after %s was set up in setup mode',
    async (active) => {
      await show(await openInSetupMode({ path, active }));
      expect(buttonsIn(twoStep()).map(({ textContent }) => textContent)).toEqual(['Sign In']);
    },
  );
});

describe('the header of the account settings', () => {
  it.each([
    ['Back and Logout', 'none', ['Back', 'Logout']],
    ['only Logout in a parent’s frame', 'trusted', ['Logout']],
  ] as const)('offers %s', async (_what, embedding, names) => {
    await show(await openSignedIn({ path, embedding }));
    expect(buttonsIn(screen.getByRole('banner')).map(({ textContent }) => textContent)).toEqual(names);
  });

  it('offers neither on a public screen, also to a signed-in user', async () => {
    await show(await openSignedIn({ path: '/unauthorized' }));
    expect(screen.getByRole('heading', { name: 'Your Link Has Expired' })).toBeVisible();
    expect(buttonsIn(screen.getByRole('banner'))).toEqual([]);
  });
});
