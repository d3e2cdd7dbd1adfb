/** Tests root.saga. */
import { screen } from '@testing-library/react';
import { unframedSegments } from '@vestibule/contract/pageHeaders';
import { tokenPair } from '../support/builders';
import { fakeDeps, type TabOptions } from '../support/fakeDeps';
import { openApp } from '../support/openApp';
import { arrive, renderApp } from '../support/renderApp';
import { put } from '../support/sessionCookies';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));

const refusal = 'This page cannot be shown inside another site.';

/** Opens the page for a signed-in user, in the frame of a listed parent unless said otherwise. */
const open = async (path: string, tab: TabOptions = {}) => {
  const deps = fakeDeps({ path, embedding: 'trusted', config: { extensions: ['notices'] }, ...tab });
  put(deps, tokenPair({ lifeSeconds: 86_400 }));
  await renderApp(openApp(deps));
  await arrive();
  return deps;
};

const expectNothingToPress = () => {
  expect(screen.getByText(refusal)).toBeVisible();
  for (const role of ['button', 'link', 'textbox']) expect(screen.queryAllByRole(role)).toEqual([]);
};

describe('in the frame of a listed parent, although the host sends no headers,', () => {
  it.each<readonly [string, TabOptions]>([
    ...[...unframedSegments].map((segment) => [`/${segment}/h-1`, {}] as const),
    ['/unauthorized', {}],
    ['/oauth-redirect?code=c&state=s', {}],
    ['/h-1', { host: 'go.payments.localhost:4000' }],
  ])('%s shows nothing to press, calls nothing and tells nobody', async (path, tab) => {
    const deps = await open(path, tab);
    expectNothingToPress();
    const { warmUp: _warmUp, ...groups } = deps.api;
    for (const group of Object.values(groups))
      for (const call of Object.values<jest.Mock>(group)) expect(call).not.toHaveBeenCalled();
    expect(deps.parentFrame.messages).toEqual([]);
    expect(deps.navigation.leaves).toEqual([]);
    expect(deps.navigation.replaces).toEqual([]);
  });

  it('/forgot-password is shown', async () => {
    await open('/forgot-password');
    expect(screen.queryByText(refusal)).not.toBeInTheDocument();
    expect(screen.getAllByRole('textbox')).not.toEqual([]);
  });
});

it('in a window of its own such a page is shown', async () => {
  await open('/unauthorized', { embedding: 'none' });
  expect(screen.queryByText(refusal)).not.toBeInTheDocument();
  expect(screen.getByRole('heading', { level: 1 })).toBeVisible();
});
