import { serveForConformance } from '../support/conformance.ts';

const { brokenWith } = serveForConformance();

it('the conformance suite detects a service that has every request', async () => {
  const request = { application: { name: 'A', url: null, logo: null }, needs: [], scopes: [] };
  const broken = await brokenWith(
    ({ url }) => (url?.startsWith('/auth/v1/openid/requests/') === true ? request : undefined),
    'openid',
  );
  expect(broken.filter((rule) => !/4xx error|without a bearer/.test(rule))).toEqual([
    'getOpenIdRequest: an unknown request is refused with 404',
    'answerOpenIdRequest: an unknown request is refused with 404',
  ]);
});

it('the conformance suite detects a list of applications in another order', async () => {
  const one = (id: string, connectedAt: string) => ({
    ...{ id, name: id, url: null, logo: null, scopes: [], connectedAt },
  });
  const applications = [one('a', '2026-01-01T00:00:00.000Z'), one('b', '2026-01-02T00:00:00.000Z')];
  const broken = await brokenWith(
    ({ url }) => (url === '/auth/v1/openid/applications' ? { applications } : undefined),
    'openid',
  );
  expect(broken.filter((rule) => !/4xx error|without a bearer/.test(rule))).toEqual([
    'listOpenIdApplications: the connected applications are listed, the newest first',
  ]);
});
