import { extensions } from '@app/features';
import { screen } from '@testing-library/react';
import { severalPersonas, tokenPair, userAttributes } from '../../support/builders';
import { fakeDeps } from '../../support/fakeDeps';
import { openApp, settle } from '../../support/openApp';
import { renderApp } from '../../support/renderApp';
import { put } from '../../support/sessionCookies';

const mockFetched = jest.fn();

jest.mock('@features/passkeys', () => {
  mockFetched();
  return jest.requireActual<object>('@features/passkeys');
});

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));

async function openWith(...offered: readonly string[]) {
  const deps = fakeDeps({ path: '/account-settings', config: { extensions: offered } });
  put(deps, tokenPair({ personas: severalPersonas }));
  deps.api.users.attributes.mockResolvedValue(userAttributes());
  deps.api.passkeys.list.mockResolvedValue({ userId: 'handle', passkeys: [] });
  const app = openApp(deps);
  await settle();
  await renderApp(app);
  return screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent);
}

const base = ['2-Step Verification', 'Password'];

// The first test: a chunk stays loaded.
it('the section of passkeys is not fetched where the extension is off', async () => {
  expect(await openWith()).toEqual(base);
  expect(mockFetched).not.toHaveBeenCalled();
});

it('the section of passkeys stands after the others, and before the activity', async () => {
  const others = extensions.some(({ name }) => name === 'sessions') ? ['Devices and Activity'] : [];
  expect(await openWith('sessions', 'passkeys')).toEqual([...base, 'Passkeys', ...others]);
  expect(mockFetched).toHaveBeenCalledTimes(1);
});
