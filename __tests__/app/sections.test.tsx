import { screen } from '@testing-library/react';
import { severalPersonas, tokenPair, userAttributes } from '../support/builders';
import { fakeDeps } from '../support/fakeDeps';
import { openApp, settle } from '../support/openApp';
import { renderApp } from '../support/renderApp';
import { put } from '../support/sessionCookies';

const mockFetched = jest.fn();

jest.mock('@features/passkeys', () => {
  mockFetched();
  return jest.requireActual<object>('@features/passkeys');
});

jest.mock('@features/notices', () => {
  mockFetched();
  return jest.requireActual<object>('@features/notices');
});

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));

async function openWith(...extensions: readonly string[]) {
  const deps = fakeDeps({ path: '/account-settings', config: { extensions } });
  put(deps, tokenPair({ personas: severalPersonas }));
  deps.api.users.attributes.mockResolvedValue(userAttributes());
  deps.api.passkeys.list.mockResolvedValue({ userId: 'handle', passkeys: [] });
  const app = openApp(deps);
  await settle();
  await renderApp(app);
  return screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent);
}

const base = ['2-Step Verification', 'Password'];

describe('the sections of the extensions', () => {
  // The first test: a chunk stays loaded once it was loaded.
  it('are not fetched where their extension is off', async () => {
    expect(await openWith()).toEqual(base);
    expect(mockFetched).not.toHaveBeenCalled();
  });

  it('do not bring the screens of their extensions', async () => {
    expect(await openWith('notices')).toEqual(base);
    expect(mockFetched).not.toHaveBeenCalled();
  });

  it('stand after the others, in one order', async () => {
    expect(await openWith('sessions', 'passkeys')).toEqual([...base, 'Passkeys', 'Devices and Activity']);
    expect(mockFetched).toHaveBeenCalledTimes(1);
  });
});
