/** A service on the host of the page. */
import { createLiveApi } from '@shared/api/liveApi';

it('gets no cookie of another application, which axios would send as a header', async () => {
  document.cookie = 'XSRF-TOKEN=theirs; path=/';
  const fetch = jest.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('no network'));
  const clock = { now: () => 0, monotonic: () => 0, pause: () => Promise.resolve() };
  const { auth } = createLiveApi({ serviceUrl: window.location.origin, clock });
  await expect(auth.methods('ada')).rejects.toMatchObject({ kind: 'network' });
  const [[request]] = fetch.mock.calls as unknown as readonly [readonly [Request]];
  expect([...request.headers.keys()]).toEqual(['accept']);
  expect(request.credentials).toBe('omit');
});
