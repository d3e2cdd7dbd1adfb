import { expireSessionCookies } from '@shared/ports/browser/signInPorts';

const asked = async (fetch: jest.Mock<Promise<Response>, Parameters<typeof globalThis.fetch>>) => {
  await expireSessionCookies({ fetch, AbortSignal });
  return fetch.mock.calls.map(([path, init]) => [path, init?.method]);
};
const once = [['/expire-session-cookies', 'POST']];

describe('expiring cookies that scripts cannot remove', () => {
  it('calls the page’s own host, once', async () => {
    expect(await asked(jest.fn((..._sent) => Promise.resolve({ status: 204 } as Response)))).toEqual(once);
  });

  it.each([
    ['does not know the path', () => Promise.resolve({ status: 404 } as Response)],
    ['cannot be reached, or is blocked by policy', () => Promise.reject(new TypeError('Failed to fetch'))],
  ])('continues when the host %s', async (_what, answer) => {
    expect(await asked(jest.fn((..._sent) => answer()))).toEqual(once);
  });
});
