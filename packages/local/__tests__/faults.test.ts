import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createFaults, type Faults } from '../src/control/faults.ts';
import { createJournal, type Journal } from '../src/control/journal.ts';
import { watchService } from '../src/control/watchedService.ts';
import { listen } from '../src/http/listen.ts';
import { openOutbox } from '../src/outbox.ts';
import { outboxPage } from '../src/pages/outboxPage.ts';
import { ask } from './support/ask.ts';

describe('faults', () => {
  interface Watched {
    readonly journal: Journal;
    readonly faults: Faults;
    /** Paths of the calls that the service answered. */
    readonly served: string[];
    readonly url: (path: string) => string;
  }

  const closing: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  const login = 'http://login.payments.localhost:4000';

  /** A service that echoes each call, behind journal and faults. */
  async function watched(): Promise<Watched> {
    const journal = createJournal();
    const faults = createFaults();
    const served: string[] = [];
    const service: http.RequestListener = (request, response) => {
      served.push(request.url ?? '');
      response.writeHead(201, { 'Content-Type': 'application/json', 'X-From': 'service' });
      request.pipe(response);
    };
    const before = await watchService(service, { journal, faults, allowedOrigins: [login] });
    closing.push(before.close);
    const server = await listen(
      http.createServer((request, response) => {
        Promise.resolve(before.handle(request, response)).catch(() => response.destroy());
      }),
      0,
    );
    closing.push(server.close);
    return { journal, faults, served, url: (path) => `http://api.payments.localhost:${server.port}${path}` };
  }

  const signIn = { method: 'POST', headers: { 'Content-Type': 'application/json', Origin: login } };
  const asAda = { ...signIn, body: '{"username":"ada","password":"Front-door7"}' };

  describe('the journal', () => {
    test('keeps a body that is not JSON as text, and none as null', async () => {
      const { journal, url } = await watched();
      await ask(url('/a'), { ...signIn, body: '{"username":' });
      await ask(url('/b'));
      expect(journal.entries().map(({ body }) => body)).toStrictEqual(['{"username":', null]);
    });
  });

  describe('a fault', () => {
    test('down: the connection drops and the call does not reach the service', async () => {
      const { faults, served, journal, url } = await watched();
      faults.set({ fault: { kind: 'down' } });
      await expect(ask(url('/a'))).rejects.toThrow('socket hang up');
      expect(served).toStrictEqual([]);
      expect(journal.entries()).toMatchObject([{ fault: 'down', status: null }]);
    });

    test('answer: this status, body and headers, readable by pages of the login hosts only', async () => {
      const { faults, served, url } = await watched();
      const body = { error: { message: 'Slow down', code: 'rate_limited' } };
      faults.set({ fault: { kind: 'answer', status: 429, body, headers: { 'Retry-After': '7' } } });
      expect(await ask(url('/a'), asAda)).toMatchObject({
        status: 429,
        text: JSON.stringify(body),
        headers: {
          'retry-after': '7',
          'content-type': 'application/json',
          'access-control-allow-origin': login,
        },
      });
      const foreign = await ask(url('/a'), { headers: { Origin: 'http://evil.localhost:4000' } });
      expect(foreign.headers).not.toHaveProperty('access-control-allow-origin');
      expect(served).toStrictEqual([]);
    });

    test('answer: a text body is sent unchanged, also an empty one', async () => {
      const { faults, url } = await watched();
      faults.set({ times: 1, fault: { kind: 'answer', status: 200, body: '' } });
      faults.set({ times: 1, fault: { kind: 'answer', status: 200, body: '{"token":' } });
      expect((await ask(url('/a'))).text).toBe('');
      expect((await ask(url('/a'))).text).toBe('{"token":');
    });

    test('html: a page with status 200, like a captive portal’s', async () => {
      const { faults, url } = await watched();
      faults.set({ fault: { kind: 'html' } });
      const answered = await ask(url('/a'), asAda);
      expect(answered.status).toBe(200);
      expect(answered.headers['content-type']).toBe('text/html; charset=utf-8');
      expect(answered.text).toMatch(/^<!doctype html>/);
    });

    test('applies to the calls that match: by method, path or path prefix, username', async () => {
      const { faults, served, url } = await watched();
      const fault = { kind: 'down' } as const;
      faults.set({ method: 'post', path: '/auth/v1/refresh', fault });
      faults.set({ path: '/mfa/*', fault });
      faults.set({ username: 'ada', fault });
      const dropped = [
        ask(url('/auth/v1/refresh'), signIn),
        ask(url('/mfa/v1/disable')),
        ask(url('/auth/v1/token'), asAda),
        ask(url('/auth/v1/method/%61da')),
      ];
      for (const call of dropped) await expect(call).rejects.toThrow('socket hang up');
      expect(served).toStrictEqual([]);
      const passing = [
        '/auth/v1/refresh',
        '/auth/v1/refresh/x',
        '/auth/v1/method/bob',
        '/auth/v1/method/%',
        '/mfa',
      ];
      for (const path of passing) await ask(url(path));
      expect(served).toStrictEqual(passing);
    });

    test('ends after its number of times, and when cleared', async () => {
      const { faults, url } = await watched();
      faults.set({ times: 2, fault: { kind: 'html' } });
      const statuses = [];
      for (let call = 0; call < 3; call += 1) statuses.push((await ask(url('/a'))).status);
      expect(statuses).toStrictEqual([200, 200, 201]);
      faults.set({ fault: { kind: 'html' } });
      faults.clear();
      expect((await ask(url('/a'))).status).toBe(201);
    });

    test('does not apply to preflights', async () => {
      const { faults, url } = await watched();
      faults.set({ times: 1, fault: { kind: 'html' } });
      expect((await ask(url('/a'), { method: 'OPTIONS' })).status).toBe(201);
      expect((await ask(url('/a'))).status).toBe(200);
    });

    test.each([
      {},
      { fault: { kind: 'explode' } },
      { fault: { kind: 'delay' } },
      { fault: { kind: 'answer', status: 99, body: '' } },
      { fault: { kind: 'down' }, pth: '/misspelt' },
    ])('that is invalid is rejected: %j', async (rule) => {
      const { faults } = await watched();
      expect(() => faults.set(rule)).toThrow();
    });
  });
});

describe('the outbox', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'vestibule-outbox-'));
  });
  afterEach(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  const mail = {
    to: 'ada@payments.example',
    subject: 'Reset <your> password',
    text: 'Go to http://login.payments.localhost:4000/reset-password/a_b-c?x=1&y=2 or http://example.com/ now.',
    html: '<p>Go</p>',
  };
  test('keeps text messages and mails, newest first, over a restart', async () => {
    const file = path.join(folder, 'deep', 'outbox.json');
    const outbox = await openOutbox(file);
    await Promise.all([
      outbox.sendTextMessage({ to: '+12025550143', text: '123456 is your code.' }),
      outbox.sendMail(mail),
    ]);
    const again = await openOutbox(file);
    expect(again.messages()).toMatchObject([
      { id: 2, kind: 'mail', ...mail },
      { id: 1, kind: 'text', to: '+12025550143', text: '123456 is your code.' },
    ]);
    await again.sendTextMessage({ to: '+12025550143', text: 'Another.' });
    expect(again.messages()[0]).toMatchObject({ id: 3, text: 'Another.' });
  });

  test('is empty after it was cleared, also after a restart', async () => {
    const file = path.join(folder, 'outbox.json');
    const outbox = await openOutbox(file);
    await outbox.sendMail(mail);
    await outbox.clear();
    expect(outbox.messages()).toStrictEqual([]);
    expect((await openOutbox(file)).messages()).toStrictEqual([]);
  });

  test('starts empty if the file has another format', async () => {
    const file = path.join(folder, 'outbox.json');
    await writeFile(file, '{"messages":[{"kind":"pigeon"}]}');
    const outbox = await openOutbox(file);
    expect(outbox.messages()).toStrictEqual([]);
  });

  test('shows messages as text; only addresses of the local environment become links', async () => {
    const outbox = await openOutbox(null);
    await outbox.sendMail({ ...mail, text: `${mail.text} <img src=x onerror=alert(1)>` });
    const { markup } = outboxPage(4000, outbox.messages()).body;
    expect(markup).toContain('Reset &lt;your&gt; password');
    expect(markup).toContain('&lt;img src=x onerror=alert(1)&gt;');
    expect(markup).not.toContain('<img');
    expect(/<pre>[\s\S]*<\/pre>/.exec(markup)?.[0].match(/href="[^"]*"/g)).toStrictEqual([
      'href="http://login.payments.localhost:4000/reset-password/a_b-c?x=1&amp;y=2"',
    ]);
  });
});
