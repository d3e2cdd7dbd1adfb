import { serveForConformance } from '../support/conformance.ts';

const { brokenWith } = serveForConformance();

it.each<[string, (url?: string) => object | undefined, readonly string[]]>([
  [
    'knows every device',
    (url) => (url === '/auth/v1/devices/known' ? { deviceToken: 'always-the-same' } : undefined),
    ['knowDevice: a device keeps its token, and a token that the service has not issued is not adopted'],
  ],
  [
    'has a notice for everybody',
    (url) => (url?.startsWith('/auth/v1/notices/') === true ? {} : undefined),
    [
      'getNotice: an unknown notice is refused with 404',
      'answerNotice: an unknown notice is refused with 404',
    ],
  ],
])('the conformance suite detects a service that %s', async (_what, answer, rules) => {
  const broken = await brokenWith(({ url }) => answer(url), 'notices');
  expect(broken.filter((rule) => !/4xx error|without a bearer|unknown username/.test(rule))).toEqual(rules);
});
