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
