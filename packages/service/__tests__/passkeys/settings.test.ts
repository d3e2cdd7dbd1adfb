import { readDeployment } from '../../src/deployment.ts';
import { readEnvironment } from '../../src/environment.ts';
import { createTestDeployment } from '../support/testDeployment.ts';
import { minimal } from '../support/vestibule.ts';

it('the relying party and its origins are read from the environment', () => {
  const origins = 'https://login.example.com,https://suppliers.example.com:8443';
  const { service } = readEnvironment({
    ...minimal,
    PASSKEYS_RP_ID: 'example.com',
    PASSKEYS_ORIGINS: origins,
  });
  expect(service.passkeys).toEqual({ rpId: 'example.com', origins: origins.split(','), parentOrigins: [] });
});

it.each<[string, string | RegExp]>([
  ['https://login.example.com', /^PASSKEYS_RP_ID must be a domain/],
  ['login.example.com', 'PASSKEYS_ORIGINS is not set.'],
])('the variable is named in the error when PASSKEYS_RP_ID is %s', (PASSKEYS_RP_ID, message) => {
  expect(() => readEnvironment({ ...minimal, PASSKEYS_RP_ID })).toThrow(message);
});

it('they follow from the page in the file of a deployment', async () => {
  const { deployment, remove } = await createTestDeployment();
  remove();
  const { environment } = readDeployment(deployment);
  const port = /:(\d+),/.exec(environment['PASSKEYS_ORIGINS'] ?? '')?.[1] ?? '';
  expect(environment).toMatchObject({
    PASSKEYS_RP_ID: 'login.example.test',
    PASSKEYS_ORIGINS: `https://login.example.test:${port},https://suppliers.example.test:${port}`,
    PASSKEYS_PARENT_ORIGINS: 'https://hub.apps.example.test',
  });
});
