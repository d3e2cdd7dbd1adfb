import { runConformance } from '@vestibule/contract/conformance';
import { credentials, serveForConformance } from '../support/conformance.ts';

const { service, serve, brokenWith } = serveForConformance();

it('the conformance suite checks an extension that is named, and no other', async () => {
  const asked: (string | undefined)[] = [];
  const baseUrl = await serve((request, response) => {
    asked.push(request.url);
    service.service.handle(request, response);
  });
  const without = await runConformance({ baseUrl, account: credentials });
  expect(without.map(({ call }) => call)).not.toContain('revokeSession');
  expect(asked).not.toContain('/auth/v1/revoke');

  const results = await runConformance({ baseUrl, account: credentials, extensions: ['revoke'] });
  expect(results.filter(({ call }) => call === 'revokeSession')).toHaveLength(6);
});

it('the conformance suite detects a service that claims to revoke and does not', async () => {
  const broken = await brokenWith(({ url }) => (url === '/auth/v1/revoke' ? {} : undefined), 'revoke');
  expect(broken).toEqual(
    expect.arrayContaining([
      'revokeSession: a revoked session is over: access token and refresh token are refused with 401',
      'revokeSession: a refresh token that was exchanged already ends the whole session',
    ]),
  );
});
