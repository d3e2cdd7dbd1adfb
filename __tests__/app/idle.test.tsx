import { App } from '@app/App';
import { act, render, screen } from '@testing-library/react';
import { Profiler } from 'react';
import { severalPersonas, tokenPair, userAttributes } from '../support/builders';
import { fakeDeps } from '../support/fakeDeps';
import { openApp, pass, settle } from '../support/openApp';
import { put, start } from '../features/session/refresh/openSignedIn';

// An hour of fake time takes seconds on a busy machine.
jest.setTimeout(60_000);

beforeEach(() => jest.useFakeTimers({ now: start }));
afterEach(() => jest.useRealTimers());

describe('an hour in which nothing happens', () => {
  it.each([
    ['on the login page', '/login', false, 'Next'],
    ['on the account settings', '/account-settings', true, 'Account Settings'],
  ])('%s costs no action, no render, no call and no timer', async (_name, path, isSignedIn, title) => {
    const deps = fakeDeps({ path });
    deps.api.users.attributes.mockResolvedValue(userAttributes());
    if (isSignedIn) put(deps, tokenPair({ personas: severalPersonas, lifeSeconds: 4 * 3600 }));
    const app = openApp(deps);
    const rendered = jest.fn();
    render(
      <Profiler id="app" onRender={rendered}>
        <App store={app.store} config={deps.config} />
      </Profiler>,
    );
    await act(() => settle());
    expect((await screen.findAllByText(title)).length).toBeGreaterThan(0);
    await act(() => pass(10_000));
    const before = {
      actions: app.dispatched(),
      renders: rendered.mock.calls.length,
      timers: jest.getTimerCount(),
    };
    await act(() => pass(3_600_000));
    expect({
      actions: app.dispatched(),
      renders: rendered.mock.calls.length,
      timers: jest.getTimerCount(),
    }).toEqual(before);
    expect(deps.api.auth.refresh).not.toHaveBeenCalled();
  });
});
