import { App } from '@app/App';
import { extensions } from '@app/features';
import { identityPasswordSubmitted } from '@features/auth/verify-identity/verification.slice';
import { enrolmentMethodChosen } from '@features/mfa';
import { act, render, screen } from '@testing-library/react';
import { Profiler } from 'react';
import { answerFeatures } from '../support/answerFeatures';
import { methods, severalPersonas, tokenPair, userAttributes } from '../support/builders';
import { fakeDeps } from '../support/fakeDeps';
import { openApp, pass, settle } from '../support/openApp';
import { put, start } from '../features/session/refresh/openSignedIn';

beforeEach(() => jest.useFakeTimers({ now: start }));

const names = extensions.map(({ name }) => name);
/** The screens of extensions that need a session and no parameter. */
const screens = extensions.flatMap(({ routes = {} }) =>
  Object.values(routes).filter(({ access, pattern }) => access === 'session' && !pattern.includes(':')),
);

it.each([
  { path: '/login', isSignedIn: false, offered: [] },
  { path: '/account-settings', isSignedIn: true, offered: [] },
  { path: '/login', isSignedIn: false, offered: names },
  { path: '/account-settings', isSignedIn: true, offered: names },
  ...screens.map(({ pattern }) => ({ path: pattern, isSignedIn: true, offered: names })),
])(
  'an idle hour on $path costs no action, render, call or timer; extensions: $offered',
  async ({ path, isSignedIn, offered }) => {
    const deps = fakeDeps({ path, config: { extensions: offered } });
    answerFeatures(deps.api);
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
    expect((await screen.findAllByRole('heading')).length).toBeGreaterThan(0);
    expect(app.address()).toBe(path);
    await act(() => pass(10_000));
    const [timeouts, intervals] = [jest.spyOn(window, 'setTimeout'), jest.spyOn(window, 'setInterval')];
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
    // The look at cookie and clock, and nothing else (docs/behaviour.md#refresh-polling).
    expect(timeouts).toHaveBeenCalledTimes(3600 / 5);
    expect(intervals).not.toHaveBeenCalled();
    expect(deps.api.auth.refresh).not.toHaveBeenCalled();
    expect(deps.eventStream.open()).toHaveLength(isSignedIn && offered.includes('events') ? 1 : 0);
  },
);

it('a period that counts down draws nothing but its warning, and tokens that are renewed draw nothing', async () => {
  const deps = fakeDeps({ path: '/account-settings' });
  deps.api.users.attributes.mockResolvedValue(userAttributes());
  deps.api.auth.methods.mockResolvedValue([methods.basic]);
  deps.api.auth.validatePassword.mockResolvedValue({ authVerificationToken: 'vt-1' });
  deps.api.auth.refresh.mockImplementation(() => Promise.resolve(tokenPair({ personas: severalPersonas })));
  put(deps, tokenPair({ personas: severalPersonas }));
  const app = openApp(deps);
  const commits = jest.fn();
  const { container } = render(
    <Profiler id="app" onRender={commits}>
      <App store={app.store} config={deps.config} />
    </Profiler>,
  );
  await act(() => settle());
  await screen.findAllByText('Account Settings');
  /** Lets time pass in steps, and counts those that were drawn although the page stayed the same. */
  const idly = async (ms: number) => {
    const counts = { drawn: 0, same: 0 };
    for (let at = 0; at < ms; at += 5000) {
      const [page, before] = [container.innerHTML, commits.mock.calls.length];
      await act(() => pass(5000));
      if (commits.mock.calls.length === before) continue;
      counts.drawn += 1;
      if (container.innerHTML === page) counts.same += 1;
    }
    return counts;
  };

  await act(() => pass(1000));
  expect(await idly(1_500_000)).toEqual({ drawn: 0, same: 0 });
  expect(deps.api.auth.refresh.mock.calls.length).toBeGreaterThan(2);

  act(() => app.dispatch(enrolmentMethodChosen({ method: 'text' })));
  await act(() => settle());
  act(() => app.dispatch(identityPasswordSubmitted('Corr3ct-horse')));
  await act(() => pass(2000));
  expect(deps.navigation.address()).toBe('/authy-collect-info/u_1');
  expect(await idly(170_000)).toEqual({ drawn: 1, same: 0 });
});
