import type { RequestListener } from 'node:http';
import { runConformance } from '@vestibule/contract/conformance';
import { credentials, failedRules, serveForConformance } from '../support/conformance.ts';
import { itWith } from '../support/extensions.ts';

const { service, serve } = serveForConformance();

const begins = 'streamEvents: a bearer gets an event stream that says at once that it is open';
const reportsEnd =
  'streamEvents: the end of a session is reported within 2 s to its streams alone, and ends them';

/** The rules that the service breaks with another stream, or another end of sessions. */
async function brokenBy(
  answers: Readonly<Record<string, RequestListener>>,
  ...extensions: readonly string[]
) {
  const baseUrl = await serve((request, response) => {
    const answer = request.headers.authorization === undefined ? undefined : answers[request.url ?? ''];
    if (answer) answer(request, response);
    else service.service.handle(request, response);
  });
  return failedRules(
    await runConformance({ baseUrl, account: credentials, extensions: ['events', ...extensions] }),
  );
}

const json: RequestListener = (_request, response) =>
  response.writeHead(200, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' }).end('{}');
const stream = { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' };

it('the conformance suite detects JSON instead of a stream', async () => {
  expect(await brokenBy({ '/auth/v1/events': json })).toEqual([begins]);
});

itWith('sessions')('the conformance suite detects JSON instead of the end of a session', async () => {
  expect(await brokenBy({ '/auth/v1/events': json }, 'sessions')).toEqual([begins, reportsEnd]);
});

it('the conformance suite detects a stream that names another version than the account', async () => {
  const other: RequestListener = (_request, response) =>
    response.writeHead(200, stream).end('id: another\n\n');
  expect(await brokenBy({ '/auth/v1/events': other })).toContain(begins);
});

itWith('sessions')('the conformance suite detects an end of a session that no stream reports', async () => {
  const broken = await brokenBy({ '/auth/v1/sessions/end': json }, 'sessions');
  expect(broken.filter((rule) => rule.startsWith('streamEvents'))).toEqual([reportsEnd]);
});

itWith('sessions')(
  'the conformance suite detects a stream that reports the end of other sessions, and one that never begins',
  async () => {
    const late: RequestListener = (_request, response) => {
      response.writeHead(200, stream).flushHeaders();
      const event = 'event: session-ended\ndata: {"reason":"ended-elsewhere"}\n\n';
      setTimeout(() => response.end(event), 2500);
    };
    expect(await brokenBy({ '/auth/v1/events': late }, 'sessions')).toEqual([begins, reportsEnd]);
  },
);
