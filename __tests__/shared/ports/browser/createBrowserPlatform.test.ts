import { createBrowserPorts, createClipboard } from '@shared/ports/browser/createBrowserPorts';
import { testConfig } from '../../../support/builders';

const browser = window;

it('creates every port over the real window', async () => {
  const platform = createBrowserPorts(testConfig(), browser);
  const before = Date.now();
  expect(platform.clock.now()).toBeGreaterThanOrEqual(before);
  expect(platform.clock.monotonic()).toBeLessThan(before);
  expect(platform.cookies.enabled()).toBe(true);
  expect(platform.navigation.current().pathname).toBe('/');
  expect(platform.parentFrame.embedded).toBe(false);
  // jsdom has no lock manager: this uses the lease.
  const outcome = await platform.locks.tryRun('payments-test-refresh', () =>
    Promise.resolve(document.cookie),
  );
  expect(outcome.held && outcome.value).toMatch(/^payments-test-refresh-lease=0\.\d+$/);
  expect(document.cookie).toBe('');
});

it('uses the lock manager if there is one', async () => {
  const request = jest.fn((_name: string, _options: LockOptions, granted: (lock: null) => unknown) =>
    granted(null),
  );
  Object.defineProperty(navigator, 'locks', { value: { request }, configurable: true });
  const platform = createBrowserPorts(testConfig(), browser);
  await expect(platform.locks.tryRun('payments-test-refresh', () => Promise.resolve(1))).resolves.toEqual({
    held: false,
  });
  expect(request).toHaveBeenCalledTimes(1);
  Reflect.deleteProperty(navigator, 'locks');
});

it('empties the vault when the page is left: a page in the back/forward cache has no secrets', () => {
  const { vault } = createBrowserPorts(testConfig(), browser);
  vault.put('challenge', { authVerificationToken: 'vt_1' });
  window.dispatchEvent(new Event('pagehide'));
  expect(vault.get('challenge')).toBeUndefined();
});

type Browser = Parameters<typeof createClipboard>[0];

// Only what the port uses; `undefined`: a page without a secure context.
const browserWith = (writeText: ((text: string) => Promise<void>) | undefined): Browser =>
  ({ navigator: { clipboard: writeText && { writeText } } }) as unknown as Browser;

describe('the clipboard', () => {
  it('copies the text unchanged', async () => {
    const written: string[] = [];
    const clipboard = createClipboard(
      browserWith((text) => {
        written.push(text);
        return Promise.resolve();
      }),
    );
    await expect(clipboard.copy('JBSW Y3DP')).resolves.toBe(true);
    expect(written).toEqual(['JBSW Y3DP']);
  });

  it('reports that the browser refuses', async () => {
    const refuse = () => Promise.reject(new DOMException('no', 'NotAllowedError'));
    await expect(createClipboard(browserWith(refuse)).copy('x')).resolves.toBe(false);
  });

  it('reports that the browser has none', async () => {
    await expect(createClipboard(browserWith(undefined)).copy('x')).resolves.toBe(false);
  });

  it('is called synchronously', () => {
    const writeText = jest.fn(() => Promise.resolve());
    void createClipboard(browserWith(writeText)).copy('x');
    expect(writeText).toHaveBeenCalledTimes(1);
  });
});
