import { readConfigBlock } from '@shared/platform/browser/configBlock';
import { createBrowserPlatform } from '@shared/platform/browser/createBrowserPlatform';
import { testConfig } from '../../../support/builders';

const browser = window;

it('makes every port over the real window', async () => {
  const platform = createBrowserPlatform(testConfig(), browser);
  const before = Date.now();
  expect(platform.clock.now()).toBeGreaterThanOrEqual(before);
  expect(platform.clock.monotonic()).toBeLessThan(before);
  expect(platform.cookies.enabled()).toBe(true);
  expect(platform.navigation.current().pathname).toBe('/');
  expect(platform.parentFrame.embedded).toBe(false);
  // jsdom has no lock manager: this runs under the lease.
  const outcome = await platform.locks.tryRun('payments-test-refresh', () =>
    Promise.resolve(document.cookie),
  );
  expect(outcome.held && outcome.value).toMatch(/^payments-test-refresh-lease=[0-9a-f]{32}$/);
  expect(document.cookie).toBe('');
});

it('runs the work of one of two tabs only', async () => {
  const [one, other] = [
    createBrowserPlatform(testConfig(), browser),
    createBrowserPlatform(testConfig(), browser),
  ];
  const work = jest.fn(() => Promise.resolve());
  await Promise.all([
    one.locks.tryRun('payments-test-refresh', work),
    other.locks.tryRun('payments-test-refresh', work),
  ]);
  expect(work).toHaveBeenCalledTimes(1);
});

it('uses the lock manager where there is one', async () => {
  const request = jest.fn((_name: string, _options: LockOptions, granted: (lock: null) => unknown) =>
    granted(null),
  );
  Object.defineProperty(navigator, 'locks', { value: { request }, configurable: true });
  const platform = createBrowserPlatform(testConfig(), browser);
  await expect(platform.locks.tryRun('payments-test-refresh', () => Promise.resolve(1))).resolves.toEqual({
    held: false,
  });
  expect(request).toHaveBeenCalledTimes(1);
  Reflect.deleteProperty(navigator, 'locks');
});

it('empties the vault when the page is left: a page in the back/forward cache keeps no secrets', () => {
  const { vault } = createBrowserPlatform(testConfig(), browser);
  vault.put('challenge', { authVerificationToken: 'vt_1' });
  window.dispatchEvent(new Event('pagehide'));
  expect(vault.get('challenge')).toBeUndefined();
});

describe('the configuration block', () => {
  afterEach(() => {
    document.body.innerHTML = '';
  });

  it('is read as it stands', () => {
    document.body.innerHTML = '<script type="application/json" id="app-config">{ "a": "\\u003c" }</script>';
    expect(readConfigBlock(document)).toBe('{ "a": "\\u003c" }');
  });

  it('may be missing', () => {
    expect(readConfigBlock(document)).toBeNull();
  });
});
