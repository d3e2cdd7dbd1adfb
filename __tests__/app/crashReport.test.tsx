import { I18nProvider } from '@lingui/react';
import { english } from '@shared/texts';
import { makeReport } from '@app/crash/crashReport';
import { reportCrash } from '@app/crash/reportCrash';
import { AppErrorBoundary } from '@app/crash/Fallback.container';
import { SupportContext } from '@app/crash/eventLog';
import { createAppStore } from '@app/store';
import { ApiError } from '@shared/api/apiError';
import { ConfigContext } from '@shared/contexts';
import { createBrowserPorts } from '@shared/ports/browser/createBrowserPorts';
import { sendReport } from '@shared/ports/browser/sendReport';
import type { PageReport } from '@shared/ports/ports';
import { render, screen, waitFor } from '@testing-library/react';
import { Provider } from 'react-redux';
import { testConfig } from '../support/builders';
import { fakeDeps } from '../support/fakeDeps';

const secret = 'eyJhbGciOiJub25lIn0.secret';
const host = 'login.example.com';
const at = (pathname: string) => ({
  environment: 'test',
  navigation: fakeDeps({ path: pathname, host }).navigation,
});

/** An error whose stack stands as an engine wrote it. */
const failure = (stack: string, message = secret, name = 'TypeError'): Error =>
  Object.assign(new Error(message), { name, stack });

const chromium = [
  `TypeError: ${secret}`,
  `    at https://${host}/assets/9.js:1:1 is what the message went on with`,
  `    at Object.${secret} (https://${host}/assets/main.1a2b3c4d.js:1:2345)`,
  `    at https://${host}/assets/method-step.00112233.js:2:17`,
  `    at async https://${host}/reset-password/${secret}:12:3`,
  `    at evil (https://elsewhere.example/assets/main.1a2b3c4d.js:9:9)`,
  `    at chrome-extension://abcdef/assets/content.js:4:4`,
].join('\n');
const firefox = [
  `take@https://${host}/assets/main.1a2b3c4d.js:1:2345`,
  `@https://${host}/assets/method-step.00112233.js:2:17`,
  `@https://${host}/reset-password/${secret}:12:3`,
].join('\n');

describe('a report', () => {
  it.each([
    ['Chromium and WebKit', chromium],
    ['Firefox', firefox],
  ])('has the places in our files, and nothing else of the stack, in %s', (_engine, stack) => {
    const report = makeReport(
      'session',
      failure(stack),
      at(`/reset-password/${secret}?url=${secret}#${secret}`),
    );
    expect(report).toEqual({
      where: 'session',
      name: 'TypeError',
      stack: ['main.1a2b3c4d.js:1:2345', 'method-step.00112233.js:2:17'],
      route: '/reset-password/:hash',
      release: expect.stringMatching(/^\d+\.\d+\.\d+$/) as unknown,
      environment: 'test',
    });
  });

  it.each<[string, unknown]>([
    ['a message of the service', new ApiError('server', { status: 500, serverMessage: secret })],
    ['a name', failure('', secret, secret)],
    ['what was thrown instead of an error', secret],
    ['an object', { message: secret, stack: secret }],
    ['a message like a stack', failure(`Error: x\n    at https://${host}/assets/${secret}.js:1:1`)],
    ['a long file name', failure(`    at https://${host}/assets/${'secret'.repeat(9)}.js:1:1`)],
  ])('does not hold %s', (_what, thrown) => {
    expect(JSON.stringify(makeReport('login', thrown, at('/login')))).not.toContain('secret');
  });

  it('takes frames away that stand in the message', () => {
    const frame = `\n    at https://${host}/assets/abc.js:1:1`;
    expect(makeReport('login', failure(`TypeError: x${frame}`, `x${frame}`), at('/login'))?.stack).toEqual(
      [],
    );
  });

  it.each([
    ['Chromium and WebKit', `TypeError: login\n${chromium}`],
    ['Firefox', firefox],
  ])('has every place in our files when the message is a word of them, in %s', (_engine, stack) => {
    const places = ['main', 'login', '1'].map(
      (message) => makeReport('login', failure(stack, message), at('/login'))?.stack,
    );
    const all = ['main.1a2b3c4d.js:1:2345', 'method-step.00112233.js:2:17'];
    expect(places).toEqual([all, all, all]);
  });

  it('names an address that is no route by nothing of it', () => {
    expect(makeReport('login', new Error('x'), at(`/${secret}`))?.route).toBe('/***');
  });

  it('has at most twenty frames', () => {
    const line = `    at f (https://${host}/assets/main.1a2b3c4d.js:1:1)\n`;
    expect(makeReport('login', failure(line.repeat(50)), at('/login'))?.stack).toHaveLength(20);
  });

  it('is not made of an unhandled error that is not ours', () => {
    expect(
      makeReport('unhandled', failure('    at https://elsewhere.example/x.js:1:1'), at('/login')),
    ).toBeNull();
    expect(makeReport('unhandled', failure(chromium), at('/login'))).not.toBeNull();
  });
});

describe('the page', () => {
  const reportsTo = 'https://reports.example.com/in';

  it('reports a crash where the deployment collects them', async () => {
    const deps = fakeDeps({ config: { reportsTo } });
    reportCrash(deps, 'login', new TypeError(secret));
    await waitFor(() => expect(deps.sendReport).toHaveBeenCalledTimes(1));
    expect(deps.sendReport).toHaveBeenCalledWith(
      reportsTo,
      expect.objectContaining({ where: 'login', name: 'TypeError' }),
    );
  });

  it.each([
    ['where nothing collects them', undefined, new TypeError('x')],
    ['of a missing part of the build', reportsTo, Object.assign(new Error('x'), { name: 'ChunkLoadError' })],
  ])('reports none %s', async (_what, address, error) => {
    const deps = fakeDeps({ config: { reportsTo: address } });
    reportCrash(deps, 'login', error);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(deps.sendReport).not.toHaveBeenCalled();
  });

  it('does not throw where the error does', async () => {
    const deps = fakeDeps({ config: { reportsTo } });
    const throwing = Object.defineProperty(new Error('x'), 'name', {
      get: () => {
        throw new TypeError('a fault of a getter');
      },
    });
    expect(() => reportCrash(deps, 'login', throwing)).not.toThrow();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(deps.sendReport).not.toHaveBeenCalled();
  });

  it('reports what drawing threw', async () => {
    const silent = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    const { store, log } = createAppStore();
    const report = jest.fn();
    const error = new TypeError('x');
    const Broken = () => {
      throw error;
    };
    render(
      <ConfigContext value={testConfig()}>
        <SupportContext value={{ log, copy: () => Promise.resolve(true), report }}>
          <Provider store={store}>
            <I18nProvider i18n={english}>
              <AppErrorBoundary>
                <Broken />
              </AppErrorBoundary>
            </I18nProvider>
          </Provider>
        </SupportContext>
      </ConfigContext>,
    );
    expect(screen.getByRole('alert')).toBeInTheDocument();
    expect(report.mock.calls).toEqual([['drawing', error]]);
    expect(await screen.findByText('Copy details')).toBeInTheDocument();
    silent.mockRestore();
  });
});

describe('sending', () => {
  const report: PageReport = {
    where: 'session',
    name: 'TypeError',
    stack: ['main.1a2b3c4d.js:1:2345'],
    route: '/redirect/:magiclinkId',
    release: '1.2.3',
    environment: 'test',
  };
  const browserWith = (fetch: jest.Mock) => ({
    fetch,
    location: { origin: `https://${host}`, href: `https://${host}/redirect/${secret}` } as Location,
    navigator: { userAgent: 'Browser/1' } as Navigator,
  });

  it('is as browsers send theirs, without cookies', async () => {
    const fetch = jest.fn(() => Promise.resolve());
    await sendReport(browserWith(fetch), 'https://reports.example.com/in', report);
    const [url, request] = fetch.mock.calls[0] as unknown as [string, RequestInit];
    expect(url).toBe('https://reports.example.com/in');
    expect(request).toMatchObject({
      method: 'POST',
      headers: { 'Content-Type': 'application/reports+json' },
      credentials: 'omit',
      keepalive: true,
    });
    expect(JSON.parse(request.body as string)).toEqual([
      {
        type: 'page-error',
        age: 0,
        url: `https://${host}/redirect/:magiclinkId`,
        user_agent: 'Browser/1',
        body: report,
      },
    ]);
  });

  it('sends the same once, and three of a page load', async () => {
    const browser = browserWith(jest.fn(() => Promise.resolve()));
    for (const where of ['a', 'a', 'b', 'c', 'd', 'a'])
      await sendReport(browser, 'https://x.example', { ...report, where });
    expect(browser.fetch).toHaveBeenCalledTimes(3);
  });

  it('has no effect on the page when it fails', async () => {
    const fetch = jest.fn(() => Promise.reject(new TypeError('Failed to fetch')));
    const browser = Object.assign(Object.create(window) as typeof window, { fetch });
    await createBrowserPorts(testConfig(), browser).sendReport('https://x.example', report);
    expect(fetch).toHaveBeenCalledTimes(1);
  });
});
