import { decodeProtectedHeader } from 'jose';
import type { TestService } from '../support/testService.ts';
import { Application, Browser, reports, startProvider } from './application.ts';

describe('a client', () => {
  let service: TestService;
  let browser: Browser;

  beforeAll(async () => {
    const unsaid = { scopes: undefined, url: undefined };
    service = await startProvider([
      { ...reports, ...unsaid },
      { ...reports, ...unsaid, id: 'new', idTokenAlgorithm: 'ES256', scopes: ['email'] },
    ]);
    await service.write();
    browser = new Browser(service);
    await browser.signIn();
  });
  afterAll(() => service.close());

  it('gets ID tokens by RS256 and refresh tokens unless its fields say otherwise', async () => {
    const { id, refresh, claims } = await new Application(service).tokens(browser, {
      scope: 'openid email offline_access',
    });
    expect(decodeProtectedHeader(id)).toMatchObject({ alg: 'RS256' });
    expect(refresh).toMatch(/^[\w-]{43}$/);
    expect(claims).toMatchObject({ aud: 'reports' });
  });

  it('gets ID tokens by ES256 if it asks for them, and no refresh token without the scope', async () => {
    const { id, refresh } = await new Application(service, 'new').tokens(browser, {
      scope: 'openid email offline_access',
    });
    expect(decodeProtectedHeader(id)).toMatchObject({ alg: 'ES256' });
    expect(refresh).toBe('undefined');
  });
});
