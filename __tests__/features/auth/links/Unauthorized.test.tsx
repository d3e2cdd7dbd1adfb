import { App } from '@app/App';
import { ApiError } from '@shared/api/apiError';
import { act, render, screen } from '@testing-library/react';
import { fakeDeps } from '../../../support/fakeDeps';
import { openApp, settle } from '../../../support/openApp';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));
afterEach(() => jest.useRealTimers());

const open = async (path: string) => {
  const deps = fakeDeps({ path });
  deps.api.auth.exchangeMagicLink.mockRejectedValue(
    new ApiError('server', { status: 410, serverMessage: 'server words' }),
  );
  const app = openApp(deps);
  render(<App store={app.store} config={deps.config} />);
  await act(() => settle());
  await screen.findByRole('heading', { name: 'Your Link Has Expired' });
  return deps;
};

describe('the page of an expired link', () => {
  it('has the deployment’s support contact and marketing site', async () => {
    const { config } = await open('/unauthorized');
    expect(document.title).toContain('Your Link Has Expired');
    expect(screen.getByText('Sorry, your link is either invalid or expired.')).toBeVisible();
    expect(screen.getByRole('link', { name: config.links.supportEmail })).toHaveAttribute(
      'href',
      `mailto:${config.links.supportEmail}`,
    );
    expect(screen.getByRole('link', { name: 'Visit our website' })).toHaveAttribute(
      'href',
      config.links.marketingSite,
    );
  });

  it.each(['/redirect/h-1', '/redirect/%', '/activate/%c3', '/secret-key/%ff', '/reset-password/%'])(
    'is where %s ends, in whose place it stands, without the service’s words',
    async (path) => {
      const deps = await open(path);
      expect(deps.navigation.address()).toBe('/unauthorized');
      expect(deps.navigation.pushes).toEqual([]);
      expect(document.body).not.toHaveTextContent('server words');
    },
  );
});
