/** @jest-environment node */
import { maskLocation } from '@app/maskLocation';
import { severalPersonas, tokenPair, userAttributes } from '../../support/builders';
import { fakeDeps } from '../../support/fakeDeps';
import { openApp, settle } from '../../support/openApp';
import { put } from '../../support/sessionCookies';

const mockFetched = jest.fn();

jest.mock('@features/notices/SecurityNotice.container', () => {
  mockFetched();
  return jest.requireActual<object>('@features/notices/SecurityNotice.container');
});

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));

it('the settings do not fetch the screen of notices', async () => {
  const deps = fakeDeps({ path: '/account-settings', config: { extensions: ['notices'] } });
  put(deps, tokenPair({ personas: severalPersonas }));
  deps.api.users.attributes.mockResolvedValue(userAttributes());
  const app = openApp(deps);
  await settle();
  expect(app.state().session.access.phase).toBe('active');
  expect(mockFetched).not.toHaveBeenCalled();
});

it('the store holds the address of a notice without its id', () => {
  expect(maskLocation({ pathname: '/security-notice/s3cret', search: '' })).toMatchObject({
    pathname: '/security-notice/***',
    secrets: { hash: 's3cret' },
  });
});
