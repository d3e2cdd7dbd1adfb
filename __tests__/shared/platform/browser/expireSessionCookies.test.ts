/** @jest-environment node */
import { expireSessionCookies } from '@shared/platform/browser/createBrowserPlatform';

const asked = async (fetch: jest.Mock<Promise<Response>, Parameters<typeof globalThis.fetch>>) => {
  await expireSessionCookies({ fetch, AbortSignal });
  return fetch.mock.calls.map(([path, init]) => [path, init?.method]);
};
const once = [['/expire-session-cookies', 'POST']];

describe('expiring cookies that no script can', () => {
  it('asks the page’s own host, once', async () => {
    expect(await asked(jest.fn((..._sent) => Promise.resolve(new Response(null, { status: 204 }))))).toEqual(
      once,
    );
  });

  it.each([
    ['does not know the path', () => Promise.resolve(new Response(null, { status: 404 }))],
    [
      'is not reached, or its policy forbids the call',
      () => Promise.reject(new TypeError('Failed to fetch')),
    ],
  ])('goes on as before where the host %s', async (_what, answer) => {
    expect(await asked(jest.fn((..._sent) => answer()))).toEqual(once);
  });
});
