import type { AppConfig } from '@vestibule/contract/appConfig';
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
