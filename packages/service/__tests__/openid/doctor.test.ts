import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AppConfig } from '@vestibule/contract/appConfig';
import { serviceFindings } from '../../src/cli/doctor/serviceChecks.ts';
import type { Deployment } from '../../src/deployment.ts';
import { openIdFindings } from '../../src/openid/doctor.ts';
import { issuer } from '../support/testService.ts';
import { startProvider } from './application.ts';

it('the doctor finds the provider, and says what is wrong with another issuer', async () => {
  await using service = await startProvider();
  const examine = (serviceUrl: string) =>
    openIdFindings({ now: Date.now }, { serviceUrl } as AppConfig, service.url);
  expect(await examine(issuer)).toMatchObject([{ outcome: 'ok' }]);
  expect(await examine('https://api.example.com')).toMatchObject([
    {
      outcome: 'wrong',
      problem: expect.stringContaining(`the issuer ${issuer} instead of https://api.example.com`) as unknown,
    },
  ]);
});

it('the doctor accepts the keys of clients, RS256, beside those of sessions', async () => {
  await using service = await startProvider();
  const page = { serviceUrl: service.url, extensions: [] as readonly string[] };
  const findings = await serviceFindings({ now: Date.now }, {
    page,
    environment: {},
  } as unknown as Deployment);
  expect(findings.filter(({ check }) => check === 'keys')).toEqual([
    { check: 'keys', subject: `${service.url}/.well-known/jwks.json`, outcome: 'ok' },
  ]);
});

it('the doctor finds that clients cannot verify ID tokens with RS256', async () => {
  const responses: Readonly<Record<string, object>> = {
    '/.well-known/openid-configuration': {
      issuer,
      id_token_signing_alg_values_supported: ['RS256', 'ES256'],
    },
    '/.well-known/jwks.json': { keys: [{ kty: 'EC', crv: 'P-256', kid: 'a', alg: 'ES256' }] },
  };
  const server = createServer(({ url = '' }, response) => response.end(JSON.stringify(responses[url])));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const [finding] = await openIdFindings({ now: Date.now }, { serviceUrl: issuer } as AppConfig, base);
  server.close();
  expect(finding).toMatchObject({
    outcome: 'wrong',
    problem: `${base}/.well-known/jwks.json has no key for RS256, so that clients cannot verify their ID tokens.`,
  });
});
