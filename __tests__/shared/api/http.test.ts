/** @jest-environment node */
import { ApiError } from '@shared/api/apiError';
import { createLiveApi, type MakeCalls } from '@shared/api/liveApi';
import {
  answering,
  sending,
  startScriptedService,
  type Behaviour,
  type ScriptedService,
} from '../../support/scriptedService';

const now = Date.UTC(2026, 0, 1);
let service: ScriptedService;

beforeAll(async () => {
  service = await startScriptedService();
});

afterAll(async () => {
  await service.stop();
});

beforeEach(() => {
  service.forget();
});

const pause = (ms: number) =>
  new Promise<void>((resolve) => {
    if (ms > 0) setTimeout(resolve, ms);
    else setImmediate(resolve);
  });
const api = () =>
  createLiveApi({ serviceUrl: service.url, clock: { now: () => now, monotonic: () => 0, pause } });

/** The error of a call that must fail. */
async function errorOf(call: Promise<unknown>): Promise<ApiError> {
  const error = await call.then(
    () => 'it succeeded',
    (reason: unknown) => reason,
  );
  if (!(error instanceof ApiError)) throw new Error(`expected an ApiError, got ${String(error)}`);
  return error;
}

/** The result of a call that the service treats like this: kind and details. */
async function faultOf(behaviour: Behaviour) {
  service.behave(behaviour);
  const { kind, details } = await errorOf(api().auth.methods('ada'));
  return { kind, ...details };
}

const answer = { error: { message: 'No.', code: 'x' } };

describe('a request', () => {
  beforeEach(() => {
    service.behave(answering({ token: 't', refresh: 'r' }));
  });

  it('is JSON, without cookies, and needs no other CORS permission than it gets', async () => {
    await api().auth.token({ username: 'ada', method: 'basic', password: 'Correct-horse7' });
    const [request] = service.received;
    expect(request?.headers['content-type']).toBe('application/json');
    expect(request?.headers.accept).toBe('application/json');
    expect(request?.headers['user-agent']).not.toMatch(/axios/);
    expect(
      Object.keys(request?.headers ?? {}).filter((name) =>
        /^x-|^cookie$|^authorization$|^referer$/.test(name),
      ),
    ).toEqual([]);
  });

  it('is kept in no cache, and a POST asks for its preflight once', async () => {
    const fetch = jest.spyOn(globalThis, 'fetch');
    await errorOf(api().auth.methods('ada'));
    await api().auth.refresh('r');
    const caches = fetch.mock.calls.map(([request]) => request instanceof Request && request.cache);
    fetch.mockRestore();
    expect(caches).toEqual(['no-store', 'default']);
  });

  it('outlives the page only where it asks for that', async () => {
    const fetch = jest.spyOn(globalThis, 'fetch');
    const leaving: MakeCalls = (http, { done }) =>
      http.post('/password-reset/v1/forgot-password', {
        body: { email: 'e@x' },
        decoder: done,
        keepalive: true,
      });
    await (api().made(leaving) as Promise<void>);
    await api().auth.refresh('r');
    const requests = fetch.mock.calls.map(([request]) => request);
    fetch.mockRestore();
    expect(requests).toMatchObject([
      { keepalive: true, credentials: 'omit', referrerPolicy: 'no-referrer', redirect: 'error' },

      { keepalive: false },
    ]);
  });

  it('gets no other header from a token with a line break', async () => {
    service.behave(answering({ status: { phone_number: 'XXX-0143' } }));
    await api().mfa.activePhone('t\r\nX-Evil: 1');
    expect(service.received[0]?.headers).not.toHaveProperty('x-evil');
  });
});

describe('an error answer', () => {
  it.each([400, 401, 403, 404, 408, 409, 429, 500, 502, 503])('%i has status and message', async (status) => {
    await expect(faultOf(answering(answer, status))).resolves.toEqual({
      kind: 'server',
      status,
      serverMessage: 'No.',
      serverCode: 'x',
    });
  });

  it.each<[string, string]>([
    ['HTML', '<html><body>Bad gateway</body></html>'],
    ['an empty body', ''],
    ['truncated JSON', '{"error":{"mess'],
    ['no message', '{"error":{"code":"<b>"}}'],
    ['a message that is a number', '{"error":{"message":5}}'],
    ['an empty message', '{"error":{"message":"  \\n "}}'],
    ['an error that is text', '{"error":"No."}'],
    ['JSON null', 'null'],
  ])('with %s has no server message', async (_case, body) => {
    await expect(faultOf(sending(body, 502))).resolves.toEqual({ kind: 'server', status: 502 });
  });

  it('removes controls, line breaks and direction marks from the message, and cuts it at 300 characters', async () => {
    const message = `Too many\r\n\tfailed\u0000 login\u202e attempts\u001b[31m${'é😀'.repeat(400)}`;
    const { serverMessage = '' } = (await faultOf(answering({ error: { message } }, 429))) as {
      serverMessage?: string;
    };
    expect(serverMessage.startsWith('Too many failed login attempts[31mé😀')).toBe(true);
    expect(Array.from(serverMessage)).toHaveLength(300);
    expect(() => encodeURIComponent(serverMessage)).not.toThrow();
  });

  it('has no server text in the error itself, which is logged', async () => {
    service.behave(answering({ error: { message: 'secret' } }, 400));
    expect((await errorOf(api().auth.methods('ada'))).message).toBe('api call failed: server 400');
  });

  it.each<[string, object]>([
    ['Thu, 01 Jan 2026 00:00:20 GMT', { retryAfterMs: 20_000 }],
    ['soon', {}],
  ])('with Retry-After %j has the wait %j', async (header, wait) => {
    const fault = await faultOf(answering(answer, 429, { 'retry-after': header }));
    expect(fault).toEqual({ kind: 'server', status: 429, serverMessage: 'No.', serverCode: 'x', ...wait });
  });
});

describe('an invalid answer with status 2xx', () => {
  it.each<[string, Behaviour]>([
    ['HTML', sending('<!doctype html><title>Wi-Fi</title>', 200, { 'content-type': 'text/html' })],
    ['HTML declared as JSON', sending('<html>', 200, { 'content-type': 'application/json' })],
    ['an empty body', sending('', 200)],
    ['no content', sending('', 204)],
    ['truncated JSON', sending('[{"method":', 200)],
    ['another shape', answering({ method: 'basic' })],
    ['JSON null', answering(null)],
    ['status 300', answering([{ method: 'basic' }], 300)],
  ])('is unexpected: %s', async (_case, behaviour) => {
    await expect(faultOf(behaviour)).resolves.toMatchObject({ kind: 'unexpected' });
  });

  it('does not follow a redirect, which would send the password elsewhere', async () => {
    const elsewhere = await startScriptedService();
    elsewhere.behave(answering({ token: 't', refresh: 'r' }));
    service.behave(sending('', 307, { location: `${elsewhere.url}/auth/v1/token` }));
    const error = await errorOf(api().auth.token({ username: 'ada', method: 'basic', password: 'p' }));
    await elsewhere.stop();
    expect(error.kind).toBe('network');
    expect(elsewhere.received).toEqual([]);
  });
});

describe('an answer whose body the contract leaves open', () => {
  const body = { password: 'p', confirm: 'p', hash: 'h' };
  const calls: [string, () => Promise<void>][] = [
    ['disable', () => api().mfa.disable('b', { password: 'p' })],
    ['validate-setup', () => api().mfa.validateSetup('b', { mfaCode: '123456', method: 'app' })],
    ['forgot-password', () => api().password.forgot('ada@example.com')],
    ['password-reset', () => api().password.reset(body)],
    [
      'password-reset-manual',
      () =>
        api().password.change('b', {
          newPassword: 'p',
          confirmPassword: 'p',
          oldPassword: 'o',
          username: 'a',
        }),
    ],
    ['activate', () => api().password.activate({ ...body, firstName: 'A', lastName: 'L' })],
  ];
  const answers: [string, Behaviour][] = [
    ['an object', answering({ anything: 1 })],
    ['a text', answering('OK')],
    ['true', answering(true)],
    ['null', answering(null)],
    ['an empty list', answering([])],
    ['text that is not JSON', sending('OK', 200, { 'content-type': 'text/html' })],
    ['truncated JSON', sending('{"done":', 200)],
    ['an empty body', sending('', 200)],
    ['another 2xx status', answering({ id: 7 }, 201)],
    ['status 202', sending('', 202)],
    ['no content', sending('', 204)],
  ];

  it.each(
    calls.flatMap(([call, make]) =>
      answers.map(([kind, behaviour]) => [call, kind, make, behaviour] as const),
    ),
  )('of %s is taken as it comes: %s', async (_call, _kind, make, behaviour) => {
    service.behave(behaviour);
    await expect(make()).resolves.toBeUndefined();
  });

  it.each(calls)('of %s is not a page of HTML, which a portal answers', async (_call, make) => {
    for (const page of [
      '<html>',
      '\n<!DOCTYPE html>\n<title>Wi-Fi</title>',
      '<!doctype HTML><h1>Welcome</h1>',
    ]) {
      service.behave(sending(page, 200, { 'content-type': 'text/html' }));
      expect((await errorOf(make())).kind).toBe('unexpected');
    }
  });

  it.each([301, 304, 400, 404, 500])('is a failure with status %i', async (status) => {
    service.behave(sending('', status));
    for (const [, make] of calls) await expect(make()).rejects.toBeInstanceOf(ApiError);
  });
});

describe('an answer without a size limit', () => {
  const chunk = JSON.stringify('x'.repeat(100_000));

  it('is aborted at 1 MB, whether the service declares the size or not', async () => {
    await expect(faultOf(answering(['x'.repeat(1_100_000)]))).resolves.toEqual({ kind: 'unexpected' });
    let sent = 0;
    const endless: Behaviour = (response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const push = () => {
        if (response.destroyed) return;
        sent += chunk.length;
        response.write(chunk, () => setImmediate(push));
      };
      push();
    };
    await expect(faultOf(endless)).resolves.toEqual({ kind: 'unexpected' });
    expect(sent).toBeLessThan(20_000_000);
  });

  it('is read up to 1 MB', async () => {
    service.behave(answering([{ method: 'basic' }, 'x'.repeat(900_000)]));
    await expect(api().auth.methods('ada')).resolves.toEqual([{ method: 'basic' }]);
  });
});

it('what a press changes is shown before a call is prepared: a GET waits for a timer, which carries the press in WebKit; a POST for the next task', async () => {
  const waits: number[] = [];
  service.behave(answering([{ method: 'basic' }]));
  const clock = { now: () => now, monotonic: () => 0, pause: (ms: number) => pause(waits.push(ms)) };
  const { auth } = createLiveApi({ serviceUrl: service.url, clock });
  await auth.methods('ada');
  await auth.token({ username: 'ada', method: 'basic', password: 'pw' }).catch(() => undefined);
  expect(waits).toEqual([1, 0]);
});

describe('no response', () => {
  it.each<[string, Behaviour]>([
    ['drops the connection at once', (response) => void response.socket?.destroy()],
    [
      'drops the connection midway',
      (response) => {
        response
          .writeHead(200, { 'content-length': '1000' })
          .write('[{"method"', () => void response.socket?.destroy());
      },
    ],
  ])('is a network error when the service %s', async (_case, behaviour) => {
    await expect(faultOf(behaviour)).resolves.toEqual({ kind: 'network' });
  });

  describe('times out', () => {
    beforeEach(() => {
      // Only the timers: the sockets of the real server continue.
      jest.useFakeTimers({
        doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'performance', 'Date'],
      });
    });
    afterEach(() => {
      jest.useRealTimers();
    });

    /** Whether the call has ended after `before` ms and after `after` ms. */
    async function lasts(call: () => Promise<unknown>, behaviour: Behaviour, before: number, after: number) {
      const arrived = new Promise<void>((resolve) => {
        service.behave((response, request) => {
          behaviour(response, request);
          resolve();
        });
      });
      const settled = jest.fn();
      const outcome = errorOf(call());
      void outcome.then(settled, settled);
      // A GET is sent then.
      await jest.advanceTimersByTimeAsync(1);
      await arrived;
      await jest.advanceTimersByTimeAsync(before);
      expect(settled).not.toHaveBeenCalled();
      await jest.advanceTimersByTimeAsync(after - before);
      return (await outcome).kind;
    }

    const silence: Behaviour = () => undefined;
    const stalling: Behaviour = (response) => void response.writeHead(200).write('[');

    it('after 15 s', async () => {
      await expect(lasts(() => api().auth.methods('ada'), silence, 14_900, 15_100)).resolves.toBe('timeout');
    });

    it('after 15 s when the body never ends', async () => {
      await expect(lasts(() => api().auth.methods('ada'), stalling, 14_900, 15_100)).resolves.toBe('timeout');
    });

    it('after 10 s in a refresh', async () => {
      await expect(lasts(() => api().auth.refresh('r'), silence, 9_900, 10_100)).resolves.toBe('timeout');
    });
  });
});

it.each<[string, Behaviour]>([
  ['503', answering(answer, 503, { 'retry-after': '0' })],
  ['a dropped connection', (response) => void response.socket?.destroy()],
  ['HTML', sending('<html>', 200)],
])('is never repeated automatically: %s', async (_case, behaviour) => {
  service.behave(behaviour);
  await errorOf(api().auth.token({ username: 'ada', method: 'basic', password: 'p' }));
  await errorOf(api().auth.methods('ada'));
  expect(service.received.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'POST /auth/v1/token',
    'GET /auth/v1/method/ada',
  ]);
});
