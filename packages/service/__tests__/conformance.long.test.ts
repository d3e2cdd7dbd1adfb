import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { IncomingMessage, RequestListener } from 'node:http';
import { resolve } from 'node:path';
import { runConformance } from '@vestibule/contract/conformance';
import { extensionNames, operationsOf, readContract } from '@vestibule/contract/document';
import { client, credentials, failedRules, serveForConformance } from './support/conformance.ts';
import { loginOrigin, startTestService } from './support/testService.ts';

describe('the conformance suite', () => {
  const { service, serve, serveBut } = serveForConformance();

  it('passes for the bundled service', async () => {
    const results = await runConformance({ baseUrl: service.url, origin: loginOrigin, account: credentials });
    expect(failedRules(results)).toEqual([]);
    expect(results.filter(({ outcome }) => outcome === 'skipped')).toEqual([]);
    expect(results.filter(({ outcome }) => outcome === 'passed').length).toBeGreaterThanOrEqual(50);
  });

  it('passes for the bundled service with every extension of the contract', async () => {
    const extensions = extensionNames();
    const results = await runConformance({ baseUrl: service.url, client, account: credentials, extensions });
    expect(failedRules(results)).toEqual([]);
    // A rule that needs two extensions is left out where one of them was deleted.
    const skipped = results.filter(({ outcome }) => outcome === 'skipped');
    expect(skipped.filter(({ detail = '' }) => !detail.startsWith('only the extension'))).toEqual([]);
    const checked = results.map(({ call }) => call);
    expect(operationsOf(readContract()).filter(({ id }) => !checked.includes(id))).toEqual([]);
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

  it.each<[string, (request: IncomingMessage) => object | false, readonly string[]]>([
    [
      'keeps a used refresh token valid',
      ({ url }) => url === '/auth/v1/refresh' && { token: 'a.b.c', refresh: 'always the same' },
      ['refreshToken: an unknown refresh token is refused with 401'],
    ],
    [
      'lets a session set up an app without verifying the identity',
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
  ])('detects a service that %s', async (_what, answer, rules) => {
    const baseUrl = await serveBut((request) => {
      const body = answer(request);
      return body === false ? undefined : [200, JSON.stringify(body)];
    });
    const results = await runConformance({ baseUrl, account: credentials });
    expect(failedRules(results)).toEqual(expect.arrayContaining([...rules]));
  });

  it('sends no text message and turns nothing on', async () => {
    await runConformance({ baseUrl: service.url, account: credentials });
    expect(service.outbox.texts()).toEqual([]);
    expect(await service.directory.accounts.find(credentials.username)).toMatchObject({ mfa: null });
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
