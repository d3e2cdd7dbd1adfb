import { parse, stringify } from 'yaml';
import { readDeployment } from '../../src/deployment.ts';
import { readEnvironment } from '../../src/environment.ts';
import { createTestDeployment } from '../support/testDeployment.ts';

it('a deployment derives the cookies of the session from the page, with the extension only', async () => {
  const deployment = await createTestDeployment();
  deployment.remove();
  const text = deployment.deployment.replaceAll(/:[0-9]{4,5}/g, '');
  const environmentWith = (extensions: readonly string[]) => {
    const file = parse(text) as { page: Record<string, unknown> };
    file.page['extensions'] = extensions;
    delete file.page['passkeys'];
    return readDeployment(stringify(file)).environment;
  };
  const variables = environmentWith(['openid']);
  expect(variables).toMatchObject({
    OPENID_COOKIE_PREFIX: 'payments',
    OPENID_COOKIE_DOMAIN: 'example.test',
    OPENID_COOKIE_SAME_SITE: 'None',
  });
  const given = { ...variables, DATABASE_URL: 'postgres://localhost/vestibule' };
  expect(readEnvironment(given).service).toMatchObject({
    rsaKeys: true,
    openid: { cookiePrefix: 'payments', cookieDomain: 'example.test', cookieSameSite: 'None' },
  });
  expect(Object.keys(environmentWith([])).filter((name) => name.startsWith('OPENID'))).toEqual([]);
});
