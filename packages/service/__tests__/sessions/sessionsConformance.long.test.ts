import { serveForConformance } from '../support/conformance.ts';

const { brokenWith } = serveForConformance();

const event = (id: string) => ({
  ...{ id, at: '2026-03-14T09:26:53.000Z', kind: 'signed-in', method: 'basic' },
  ...{ browser: null, system: null, network: null },
});

it.each<[string, (url?: string) => object | undefined, readonly string[]]>([
  [
    'ends no session',
    (url) => (url === '/auth/v1/sessions/end' ? {} : undefined),
    [
      'endSessions: an ended session is over, ending it again changes nothing, and an unknown id ends nothing',
      'endSessions: ending the others leaves the session of the bearer alone',
    ],
  ],
  [
    'shows the same page of the activity for ever',
    (url) =>
      url?.startsWith('/auth/v1/activity') === true
        ? { events: [event('2'), event('1')], more: true }
        : undefined,
    [
      'listActivity: the activity begins with the newest event, and the next page after the event that it names',
    ],
  ],
])('the conformance suite detects a service that %s', async (_what, answer, rules) => {
  const broken = await brokenWith(({ url }) => answer(url), 'sessions');
  expect(broken.filter((rule) => !/4xx error|without a bearer/.test(rule))).toEqual(rules);
});
