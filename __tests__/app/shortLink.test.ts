/** @jest-environment node */
/** Tests root.saga. */
import { shortLinkTarget } from '@app/root.saga';
import { hosts, testConfig } from '../support/builders';
import { fakeDeps } from '../support/fakeDeps';
import { openApp, settle } from '../support/openApp';

const config = testConfig();
const host = 'go.payments.localhost:4000';

describe('a short link', () => {
  it.each([
    ['/abc', '/redirect/abc'],
    ['/a/b/abc', '/redirect/abc'],
    ['/abc/', '/redirect/abc'],
    ['/a%2Fb', '/redirect/a%2Fb'],
    ['/', '/'],
    ['//evil.example', '/redirect/evil.example'],
  ])('%s leads to %s of the login host', (pathname, path) => {
    expect(shortLinkTarget({ host, pathname }, config)).toBe(`${hosts.login}${path}`);
  });

  it('is recognised on its own hosts only', () => {
    expect(shortLinkTarget({ host: 'login.payments.localhost:4000', pathname: '/abc' }, config)).toBeNull();
  });

  it('redirects before anything else starts', async () => {
    jest.useFakeTimers();
    const deps = fakeDeps({ path: '/abc', host });
    const app = openApp(deps);
    await settle();
    expect(deps.navigation.leaves).toEqual([`${hosts.login}/redirect/abc`]);
    expect(deps.navigation.replaces).toEqual([]);
    expect(app.dispatched()).toBeLessThan(4);
    jest.useRealTimers();
  });
});
