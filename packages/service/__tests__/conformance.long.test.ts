import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { resolve } from 'node:path';
import { runConformance } from '@vestibule/contract/conformance';
import { extensionNames, operationsOf, readContract } from '@vestibule/contract/document';
import { loginOrigin, startTestService, type TestService } from './support/testService.ts';

const event = (id: string) => ({
  ...{ id, at: '2026-03-14T09:26:53.000Z', kind: 'signed-in', method: 'basic' },
  ...{ browser: null, system: null, network: null },
});
const credentials = { username: 'ada@example.com', password: 'Correct-horse7' };

describe('the conformance suite', () => {
  let service: TestService;
  const servers: Server[] = [];

  beforeAll(async () => {
    service = await startTestService({
      passkeys: { rpId: 'login.payments.localhost', origins: [loginOrigin], parentOrigins: [] },
      passwordCheck: true,
    });
    await service.write();
  });
  afterAll(async () => {
    for (const server of servers) server.close().closeAllConnections();
    await service.close();
  });

  const serve = async (listener: RequestListener): Promise<string> => {
    const server = createServer(listener).listen(0, '127.0.0.1');
    servers.push(server);
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('No port was given.');
    return `http://127.0.0.1:${address.port}`;
  };

  /** The service, with another answer where `answer` gives one. */
  const serveBut = (answer: (request: IncomingMessage) => readonly [number, string] | undefined) =>
    serve((request, response) => {
      const [status, body] = answer(request) ?? [];
      if (status === undefined) service.service.handle(request, response);
      else
        response
          .writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' })
          .end(body);
    });
  const failedRules = (results: Awaited<ReturnType<typeof runConformance>>): readonly string[] =>
    results.filter(({ outcome }) => outcome === 'failed').map(({ call, rule }) => `${call}: ${rule}`);

  it('passes for the bundled service', async () => {
    const results = await runConformance({ baseUrl: service.url, origin: loginOrigin, account: credentials });
    expect(failedRules(results)).toEqual([]);
    expect(results.filter(({ outcome }) => outcome === 'skipped')).toEqual([]);
    expect(results.filter(({ outcome }) => outcome === 'passed').length).toBeGreaterThanOrEqual(50);
  });

  it('passes for the bundled service with every extension of the contract', async () => {
    const extensions = extensionNames();
    const results = await runConformance({ baseUrl: service.url, account: credentials, extensions });
    expect(results.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
    const checked = results.map(({ call }) => call);
    expect(operationsOf(readContract()).filter(({ id }) => !checked.includes(id))).toEqual([]);
  });

  it('checks an extension that is named, and no other', async () => {
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

  describe('of events, sessions and notices', () => {
    const extensions = ['events', 'sessions', 'notices'];
    const endsNothing = (url?: string): readonly [number, string] | undefined =>
      url === '/auth/v1/sessions/end' ? [200, '{}'] : undefined;
    const oneToken = JSON.stringify({ deviceToken: 'always-the-same' });
    const isStream = (url?: string) => url === '/auth/v1/events';

    it.each<[string, (url?: string) => readonly [number, string] | undefined, readonly string[]]>([
      [
        'ends no session',
        endsNothing,
        [
          'streamEvents: the end of a session is reported within 2 s to its streams alone, and ends them',
          'endSessions: an ended session is over, ending it again changes nothing, and an unknown id ends nothing',
          'endSessions: ending the others leaves the session of the bearer alone',
        ],
      ],
      [
        'answers JSON instead of a stream',
        (url) => (isStream(url) ? [200, '{}'] : undefined),
        [
          'streamEvents: a bearer gets an event stream that says at once that it is open',
          'streamEvents: the end of a session is reported within 2 s to its streams alone, and ends them',
        ],
      ],
      [
        'shows the same page of the activity for ever',
        (url) =>
          url?.startsWith('/auth/v1/activity') === true
            ? [200, JSON.stringify({ events: [event('2'), event('1')], more: true })]
            : undefined,
        [
          'listActivity: the activity begins with the newest event, and the next page after the event that it names',
        ],
      ],
      [
        'knows every device',
        (url) => (url === '/auth/v1/devices/known' ? [200, oneToken] : undefined),
        ['knowDevice: a device keeps its token, and a token that the service has not issued is not adopted'],
      ],
      [
        'has a notice for everybody',
        (url) => (url?.startsWith('/auth/v1/notices/') === true ? [200, '{}'] : undefined),
        [
          'getNotice: an unknown notice is refused with 404',
          'answerNotice: an unknown notice is refused with 404',
        ],
      ],
    ])('detects a service that %s', async (_what, answer, rules) => {
      const baseUrl = await serveBut(({ url }) => answer(url));
      const results = await runConformance({ baseUrl, account: credentials, extensions });
      const failed = failedRules(results).filter((rule) => !rule.includes('4xx error'));
      expect(
        failed.filter((rule) => !rule.includes('unknown username') && !rule.includes('without a bearer')),
      ).toEqual(rules);
    });

    it('detects a stream that names another version than the account', async () => {
      const streams = await serve((request, response) => {
        if (!isStream(request.url) || request.headers.authorization === undefined) {
          service.service.handle(request, response);
          return;
        }
        response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
        response.end('id: another\n\n');
      });
      const results = await runConformance({ baseUrl: streams, account: credentials, extensions });
      expect(failedRules(results)).toContain(
        'streamEvents: a bearer gets an event stream that says at once that it is open',
      );
    });

    it('detects a stream that reports the end of other sessions, and one that never begins', async () => {
      const event = 'event: session-ended\ndata: {"reason":"ended-elsewhere"}\n\n';
      const streams = await serve((request, response) => {
        if (!isStream(request.url) || request.headers.authorization === undefined) {
          service.service.handle(request, response);
          return;
        }
        response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
        response.flushHeaders();
        setTimeout(() => response.end(event), 2500);
      });
      const results = await runConformance({ baseUrl: streams, account: credentials, extensions });
      expect(failedRules(results)).toEqual([
        'streamEvents: a bearer gets an event stream that says at once that it is open',
        'streamEvents: the end of a session is reported within 2 s to its streams alone, and ends them',
      ]);
    });
  });

  it('detects a service that repeats the challenge of its passkeys', async () => {
    const fixed = (await service.post('/auth/v1/passkeys/sign-in/options', {})).text;
    const baseUrl = await serveBut(({ url, method }) =>
      url === '/auth/v1/passkeys/sign-in/options' && method === 'POST' ? [200, fixed] : undefined,
    );
    const faults = await runConformance({ baseUrl, account: credentials, extensions: ['passkeys'] });
    expect(failedRules(faults)).toContain(
      'startPasskeySignIn: known and unknown usernames get options of one kind, an unknown one the same credentials each time',
    );
  });

  it('passes for a service without a grace period', async () => {
    // Its clock is stopped: with 0 s a token would be answered again at the moment of its exchange.
    await using strict = await startTestService({ refreshGraceSeconds: -1 });
    await strict.write();
    const results = await runConformance({ baseUrl: strict.url, account: credentials });
    expect(failedRules(results)).toEqual([]);
    expect(
      results.filter(({ outcome, call }) => outcome === 'skipped' && call === 'refreshToken'),
    ).toMatchObject([{ rule: 'a refresh token that was just exchanged is answered again' }]);
  });

  it.each<[string, RequestListener]>([
    ['answers with pages instead of JSON', (_request, response) => response.end('<h1>Welcome</h1>')],
    ['accepts everything', (_request, response) => response.end('{}')],
    [
      'has errors of another shape',
      (_request, response) =>
        response.writeHead(401, { 'Cache-Control': 'no-store' }).end('{"message":"no"}'),
    ],
    ['drops the connection', (request) => request.socket.destroy()],
  ])('fails every call of a service that %s', async (_what, listener) => {
    const baseUrl = await serve(listener);
    const results = await runConformance({ baseUrl, origin: loginOrigin, account: credentials });
    const passed = results.filter(({ outcome }) => outcome === 'passed');
    // '{}' is a valid answer of the four calls whose body is not read; invalid requests must still be rejected.
    expect(passed.filter(({ rule }) => !rule.startsWith('what it answers for an unknown username'))).toEqual(
      [],
    );
    expect(failedRules(results).length).toBeGreaterThanOrEqual(35);
  });

  it.each<[string, number, string]>([
    ['nothing', 204, ''],
    ['text', 200, 'OK'],
    ['a list', 202, '[]'],
  ])('accepts %s for a call with an open answer', async (_what, status, body) => {
    const baseUrl = await serveBut(({ url }) =>
      url === '/password-reset/v1/forgot-password' ? [status, body] : undefined,
    );
    const results = await runConformance({ baseUrl });
    expect(
      results.find(
        ({ call, rule }) =>
          call === 'requestPasswordReset' && rule.startsWith('what it answers for an unknown username'),
      ),
    ).toMatchObject({ outcome: 'passed' });
  });

  it.each<[string, readonly string[], (request: IncomingMessage) => object | false, readonly string[]]>([
    [
      'refuses neither recovery codes nor breached passwords',
      ['recovery-codes', 'password-check'],
      ({ url = '' }) => /recovery-codes|password-reset$|activate$/.test(url) && {},
      [
        'resetPassword: a common password is refused with password_breached',
        'activateAccount: a common password is refused with password_breached',
        'activateAccount: a password of the entered name is refused with password_guessable',
        'getRecoveryCodes: an account without two-step verification has no codes',
        'makeRecoveryCodes: a verification that was made up is refused with 401',
        'useRecoveryCode: a challenge that was made up is refused with 401',
      ],
    ],
    [
      'claims to revoke and does not',
      ['revoke'],
      ({ url }) => url === '/auth/v1/revoke' && {},
      [
        'revokeSession: a revoked session is over: access token and refresh token are refused with 401',
        'revokeSession: a refresh token that was exchanged already ends the whole session',
      ],
    ],
    [
      'keeps a used refresh token valid',
      [],
      ({ url }) => url === '/auth/v1/refresh' && { token: 'a.b.c', refresh: 'always the same' },
      ['refreshToken: an unknown refresh token is refused with 401'],
    ],
    [
      'lets a session set up an app without verifying the identity',
      [],
      ({ url, headers }) =>
        url === '/mfa/v1/twofactor-add' &&
        headers.authorization !== undefined && {
          code: 'JBSWY3DPEHPK3PXP',
          url: 'otpauth://totp/a?secret=JBSWY3DPEHPK3PXP',
        },
      [
        'validatePassword: a verification opens nothing in another session',
        'addAuthenticator: a session without a verified identity is refused with a 4xx error',
      ],
    ],
  ])('detects a service that %s', async (_what, extensions, answer, rules) => {
    const baseUrl = await serveBut((request) => {
      const body = answer(request);
      return body === false ? undefined : [200, JSON.stringify(body)];
    });
    const results = await runConformance({ baseUrl, account: credentials, extensions });
    expect(failedRules(results)).toEqual(expect.arrayContaining([...rules]));
  });

  it('sends no text message and turns nothing on', async () => {
    await runConformance({ baseUrl: service.url, account: credentials });
    expect(service.outbox.texts()).toEqual([]);
    expect(await service.directory.findAccount(credentials.username)).toMatchObject({ mfa: null });
  });

  it('runs from the command line, prints a count, and fails if the service fails', async () => {
    const baseUrl = await serve((_request, response) => response.end('<h1>Welcome</h1>'));
    const command = spawn(
      process.execPath,
      ['--import', 'tsx', 'packages/contract/src/runConformance.ts', baseUrl],
      {
        cwd: resolve(__dirname, '../../..'),
        env: { PATH: process.env['PATH'] },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    let said = '';
    command.stdout.on('data', (chunk) => (said += String(chunk)));
    expect(await once(command, 'close')).toEqual([1, null]);
    expect(said).toMatch(/\n0 passed, \d+ failed, 0 skipped\n$/);
  });
});
