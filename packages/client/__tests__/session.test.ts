import { createSession, type SessionOptions } from '../src/index';
import { createFakeLocks, pair, sessionCookie } from './support/family';

const name = 'payments-test-session';
const service = 'http://api.payments.localhost:4000';
// Ahead of the real clock, by which jsdom expires cookies.
const start = Date.UTC(2036, 0, 1);
const lifeMs = 900_000;

/** A service that rotates refresh tokens: one that comes twice is refused. */
function openService() {
  let valid = '';
  const calls: { readonly url: string; readonly init: RequestInit }[] = [];
  const next: ((init: RequestInit) => Promise<Response>)[] = [];
  const issue = (facts: Parameters<typeof pair>[0] = {}) => {
    const tokens = pair(facts);
    valid = tokens.refresh;
    return tokens;
  };
  const json = (status: number, body: unknown, headers = {}) =>
    new Response(JSON.stringify(body), { status, headers });
  const answer = async (url: string, init: RequestInit = {}): Promise<Response> => {
    calls.push({ url, init });
    const arranged = next.shift();
    if (arranged) return await arranged(init);
    if (!url.endsWith('/auth/v1/refresh')) return json(401, {});
    const { refresh } = JSON.parse(init.body as string) as { refresh: string };
    return refresh === valid ? json(200, issue()) : json(401, { error: { code: 'unauthorized' } });
  };
  return { answer, calls, next, issue, json };
}

const locks = createFakeLocks();

/** A tab: the real window, with its own connection and address bar. */
function openTab(
  answer: (url: string, init?: RequestInit) => Promise<Response>,
  options: Partial<SessionOptions> = {},
) {
  const navigator = { onLine: true, locks };
  const assign = jest.fn();
  const reportError = jest.fn();
  const cookieStore = new EventTarget();
  const bound = (
    key:
      | 'setTimeout'
      | 'clearTimeout'
      | 'setInterval'
      | 'clearInterval'
      | 'addEventListener'
      | 'removeEventListener',
  ) => [key, (...args: unknown[]) => (window[key] as (...given: unknown[]) => unknown)(...args)] as const;
  const browser = {
    ...{
      document,
      crypto,
      performance,
      localStorage,
      Request,
      isSecureContext: true,
      navigator,
      cookieStore,
      reportError,
    },
    ...Object.fromEntries(
      (
        [
          'setTimeout',
          'clearTimeout',
          'setInterval',
          'clearInterval',
          'addEventListener',
          'removeEventListener',
        ] as const
      ).map(bound),
    ),
    location: {
      hostname: location.hostname,
      pathname: '/',
      protocol: 'http:',
      href: location.href,
      origin: location.origin,
      assign,
    },
    fetch: (input: string | Request, init?: RequestInit) =>
      typeof input === 'string' ? answer(input, init) : answer(input.url, { headers: input.headers }),
  } as unknown as Window & typeof globalThis;
  const session = createSession(
    {
      prefix: 'payments-test',
      domain: 'payments.localhost',
      serviceUrl: service,
      signOnUrl: 'http://login.payments.localhost:4000',
      ...options,
    },
    browser,
  );
  const events: string[] = [];
  const listen = () => session.subscribe((event) => events.push(event));
  return { session, events, listen, navigator, assign, cookieStore, reportError };
}

const put = (tokens: { token: string; refresh: string }) => {
  document.cookie = `${name}=${encodeURIComponent(sessionCookie(tokens))}; path=/; domain=payments.localhost`;
  document.cookie = `${name}-refresh=${tokens.refresh}; path=/; domain=payments.localhost`;
};
const cookies = () => document.cookie.split('; ').map((one) => one.split('=')[0]);
/** Lets the lease be confirmed, and what follows. */
const pass = (ms = 200) => jest.advanceTimersByTimeAsync(ms);
const soon = async <T>(promise: Promise<T>, ms?: number): Promise<T> => {
  await pass(ms);
  return await promise;
};

beforeEach(() => jest.useFakeTimers({ now: start }));
afterEach(() => {
  localStorage.clear();
  for (const one of cookies())
    document.cookie = `${one ?? ''}=; path=/; domain=payments.localhost; max-age=0`;
  for (const one of cookies()) document.cookie = `${one ?? ''}=; path=/; max-age=0`;
});

describe('the access token', () => {
  it('is the one in the cookie until half of its life has passed, then a new one; callers share the call', async () => {
    const { answer, calls, issue } = openService();
    const { session } = openTab(answer);
    expect(await session.token()).toBeNull();
    const first = issue();
    put(first);
    expect(session.current()).toMatchObject({ uid: 'u_1', firstName: 'Ada' });
    expect(session.current()).toBe(session.current());
    await pass(lifeMs / 2 - 1000);
    expect(await session.token()).toBe(first.token);
    await pass(1000);
    const [one, other] = await soon(Promise.all([session.token(), session.token()]));
    expect(one).not.toBe(first.token);
    expect(other).toBe(one);
    expect(calls).toHaveLength(1);
    expect(document.cookie).toContain(encodeURIComponent(one ?? 'none'));
  });

  it('is refreshed by one of two tabs; the other adopts it', async () => {
    const { answer, calls, issue } = openService();
    put(issue());
    const tabs = [openTab(answer), openTab(answer)];
    for (const { listen } of tabs) listen();
    // Twice: half a life, and the next look at the cookie.
    await pass(lifeMs + 20_000);
    for (const { session, events } of tabs) {
      expect(events).toEqual(['refreshed', 'refreshed']);
      session.close();
    }
    expect(calls).toHaveLength(2);
    await pass(lifeMs);
    expect(calls).toHaveLength(2);
  });

  it.each<[string, number, Parameters<typeof pair>[0], object, string]>([
    ['refuses', 401, {}, {}, 'none'],
    ['asks to wait', 429, {}, { 'Retry-After': '40' }, 'old'],
    ['sends another user', 200, { uid: 'u_evil' }, {}, 'none'],
  ])('when the service %s (%i)', async (_case, status, facts, headers, left) => {
    const { answer, calls, next, issue, json } = openService();
    const first = issue();
    put(first);
    const { session } = openTab(answer);
    await pass(lifeMs / 2);
    const body = Object.keys(facts ?? {}).length > 0 ? pair(facts) : {};
    next.push(() => Promise.resolve(json(status, body, headers)));
    expect(await soon(session.token())).toBe(left === 'old' ? first.token : null);
    expect(cookies()).toEqual(left === 'old' ? [name, `${name}-refresh`] : ['']);
    // The wait is kept by other tabs of the origin, too.
    expect(await soon(openTab(answer).session.token())).toBe(left === 'old' ? first.token : null);
    expect(calls).toHaveLength(1);
    await pass(60_000);
    expect((await soon(session.token())) === null).toBe(left === 'none');
    expect(calls).toHaveLength(left === 'old' ? 2 : 1);
  });

  it('stays signed out if that happens while the response is on its way', async () => {
    const { answer, next, issue, json } = openService();
    put(issue());
    const { session, events, listen } = openTab(answer);
    listen();
    await pass(lifeMs / 2 - 5000);
    next.push(() => new Promise((resolve) => void setTimeout(() => resolve(json(200, pair())), 2000)));
    await pass(6000);
    session.signOut();
    await pass(5000);
    expect(events).toEqual(['signed-out']);
    expect(cookies()).toEqual(['']);
  });

  it('is given up after 10 s, and asked for again only within a grace period', async () => {
    for (const [grace, sent] of [
      [0, 1],
      [10, 3],
    ] as const) {
      const { answer, calls, next, issue } = openService();
      const first = issue();
      put(first);
      const { session } = openTab(answer, { refreshGraceSeconds: grace });
      await pass(lifeMs / 2);
      for (let copy = 0; copy < 3; copy += 1)
        next.push(({ signal }) => new Promise((_, reject) => signal?.addEventListener('abort', reject)));
      const token = session.token();
      await pass(9900);
      expect(calls).toHaveLength(sent);
      expect(calls[0]?.init.signal?.aborted).toBe(false);
      await pass(400);
      expect(calls[0]?.init.signal?.aborted).toBe(true);
      expect(await token).toBe(first.token);
      localStorage.clear();
    }
  });

  it.each([
    ['a clock that was compared', '0', [-450, -15]],
    ['another clock', '', [-450, -15, 0]],
  ])(
    'is refreshed once more 15 s before it expires, despite the wait; with %s the session ends after these tries: %j %j',
    async (_clock, skew, tries) => {
      localStorage.setItem('payments-test-clock-skew', skew);
      const { answer, calls, next, issue, json } = openService();
      const issued = issue();
      put(issued);
      const { session, events, listen } = openTab(answer);
      listen();
      await pass(lifeMs / 2 - 1000);
      const sentAt: number[] = [];
      const fail = (init: RequestInit) => {
        sentAt.push((Date.now() - start - lifeMs) / 1000);
        expect(init.body).toContain(issued.refresh);
        return Promise.resolve(json(503, {}, { 'Retry-After': '600' }));
      };
      next.push(fail, fail, fail);
      for (let seconds = 0; seconds < 600; seconds += 1) await soon(session.token(), 1000);
      expect(sentAt.map(Math.floor)).toEqual(tries);
      expect(calls).toHaveLength(tries.length);
      expect(events).toEqual(['signed-out']);
      expect(cookies()).toEqual(['']);
    },
  );

  it('is not asked for offline, where an expired session is kept', async () => {
    const { answer, calls, issue } = openService();
    put(issue());
    const { session, events, listen, navigator } = openTab(answer);
    listen();
    navigator.onLine = false;
    await pass(2 * lifeMs);
    expect(await session.token()).toBeNull();
    expect(session.current()).not.toBeNull();
    expect([calls, events]).toEqual([[], []]);
    navigator.onLine = true;
    await pass(6000);
    expect(events).toEqual(['refreshed']);
  });

  it('is refreshed once by a computer that slept past its end', async () => {
    localStorage.setItem('payments-test-clock-skew', '0');
    const { answer, calls, issue } = openService();
    put(issue());
    const { events, listen } = openTab(answer);
    listen();
    await pass(5000);
    jest.setSystemTime(start + 8 * 3_600_000);
    await pass(6000);
    expect(events).toEqual(['refreshed']);
    expect(calls).toHaveLength(1);
  });
});

describe('a page that opens with a token that seems expired', () => {
  const open = (skew: string, ageSeconds: number) => {
    localStorage.setItem('payments-test-clock-skew', skew);
    const { answer, calls, issue } = openService();
    put(issue({ iat: start / 1000 - ageSeconds }));
    return { ...openTab(answer), calls };
  };

  it('ends the session if the clock was compared with the service’s', async () => {
    const { session, calls } = open('0', 7200);
    expect(session.current()).toBeNull();
    expect(await soon(session.token())).toBeNull();
    expect(cookies()).toEqual(['']);
    expect(calls).toEqual([]);
  });

  it('does not end it while another page holds the lease', async () => {
    document.cookie = `payments-test-lease=x; path=/; domain=payments.localhost`;
    const { session } = open('0', 7200);
    const token = session.token();
    await pass(8000);
    const renewed = pair();
    put(renewed);
    expect(await soon(token, 1000)).toBe(renewed.token);
  });

  it('shows by how much the clock is wrong if it was not: one refresh, no sign-out, no loop', async () => {
    const { session, calls } = open('', 7200);
    expect(session.current()).not.toBeNull();
    expect(await soon(session.token())).not.toBeNull();
    expect(session.current()).not.toBeNull();
    await soon(session.token());
    expect(calls).toHaveLength(1);
  });

  it('forgets how wrong the clock was if it has been corrected since', async () => {
    const { session, calls } = open('-7200000', 60);
    expect(await soon(session.token())).not.toBeNull();
    expect(calls).toEqual([]);
  });
});

describe('a session cookie', () => {
  it('that a sibling host has set too belongs to no user, and is removed', async () => {
    const { answer, issue } = openService();
    put(issue());
    document.cookie = `${name}=${encodeURIComponent(sessionCookie(pair({ uid: 'u_evil' })))}; path=/`;
    const { session } = openTab(answer);
    expect(session.current()).toBeNull();
    expect(await soon(session.token())).toBeNull();
    expect(cookies()).not.toContain(name);
  });

  it('that another page changes is reported: within 5 s, or at once where the browser tells', async () => {
    const { answer, issue } = openService();
    const { session, events, listen, cookieStore } = openTab(answer);
    const stop = listen();
    // Another listener that stops does not stop this one.
    session.subscribe(() => undefined)();
    put(issue());
    await pass(5000);
    put(issue({ uid: 'u_2' }));
    cookieStore.dispatchEvent(Object.assign(new Event('change'), { changed: [{ name }], deleted: [] }));
    session.signOut();
    expect(events).toEqual(['signed-in', 'user-changed', 'signed-out']);
    stop();
    put(issue());
    await pass(5000);
    expect(events).toHaveLength(3);
  });
});

it('setup mode that begins elsewhere signs the user out here, and its cookie stays', async () => {
  const { answer, calls, issue } = openService();
  put(issue());
  const { session, events, listen } = openTab(answer);
  listen();
  for (const one of [name, `${name}-refresh`])
    document.cookie = `${one}=; path=/; domain=payments.localhost; max-age=0`;
  document.cookie = `${name}-setup=${encodeURIComponent(JSON.stringify({ mfaToken: pair().token }))}; path=/`;
  await pass(5000);
  expect(events).toEqual(['signed-out']);
  expect(await soon(session.token())).toBeNull();
  expect(cookies()).toEqual([`${name}-setup`]);
  expect(calls).toEqual([]);
});

describe('a listener that throws', () => {
  it('is reported, and the other listeners and the caller are not affected', async () => {
    const { answer, issue } = openService();
    put(issue());
    const { session, events, listen, reportError } = openTab(answer);
    const error = new Error('a bug of the application');
    session.subscribe(() => {
      throw error;
    });
    listen();
    await pass(lifeMs / 2);
    expect(await soon(session.token())).not.toBeNull();
    session.signOut();
    expect(events).toEqual(['refreshed', 'signed-out']);
    expect(reportError.mock.calls).toEqual([[error], [error]]);
  });
});

describe('signing in and out', () => {
  it('goes to the sign-on page and comes back, to this application only', () => {
    const { session, assign } = openTab(openService().answer, { returnOrigins: ['https://other.example'] });
    session.signIn({ returnTo: '/orders?page=2' });
    session.signIn({ returnTo: 'https://other.example/x' });
    const login = 'http://login.payments.localhost:4000/login?url=';
    expect(assign.mock.calls).toEqual([
      [`${login}${encodeURIComponent(`${location.origin}/orders?page=2`)}`],
      [`${login}${encodeURIComponent('https://other.example/x')}`],
    ]);
    const evils = ['https://evil.example/', '//evil.example', 'javascript:alert(1)'];
    for (const evil of [...evils, `blob:${location.origin}/x`, `${location.origin}@evil.example`])
      expect(() => session.signIn({ returnTo: evil })).toThrow(/leads to another site/);
    expect(assign).toHaveBeenCalledTimes(2);
  });

  it('ends the session at the service only where it offers that', () => {
    for (const extensions of [[], ['revoke']]) {
      const { answer, calls, issue } = openService();
      put(issue());
      // Another user of the computer could open a magic link's session again; the trust of the device stays.
      for (const linked of ['setup', 'a0'.repeat(32)]) document.cookie = `${name}-${linked}=x; path=/`;
      document.cookie = `${name}-trust-ada=x; path=/`;
      openTab(answer, { extensions, serviceUrl: `${service}/` }).session.signOut();
      expect(cookies()).toEqual([`${name}-trust-ada`]);
      document.cookie = `${name}-trust-ada=; path=/; max-age=0`;
      expect(calls.map(({ url }) => url)).toEqual(extensions.map(() => `${service}/auth/v1/revoke`));
    }
  });
});

describe('fetch', () => {
  const bearers = (calls: ReturnType<typeof openService>['calls']) =>
    calls
      .filter(({ url }) => !url.endsWith('/refresh'))
      .map(({ init }) => new Headers(init.headers).get('Authorization'));

  it('adds the token for the service and the listed origins, and for no other', async () => {
    const { answer, calls, next, issue } = openService();
    const { token } = issue();
    put({ token, refresh: 'r' });
    const { session } = openTab(answer, { apiOrigins: ['https://api.example'] });
    for (const url of [
      `${service}/x`,
      'https://api.example/x',
      'https://api.example.evil.example/',
      'https://evil.example/',
    ]) {
      next.push(() => Promise.resolve(new Response()));
      await session.fetch(url);
    }
    expect(bearers(calls)).toEqual([`Bearer ${token}`, `Bearer ${token}`, null, null]);
  });

  it('is not made again after a 401 for another user who has signed in meanwhile', async () => {
    const { answer, calls, next, issue, json } = openService();
    put(issue());
    const { session } = openTab(answer);
    next.push(() => {
      put(issue({ uid: 'u_bob' }));
      return Promise.resolve(json(401, {}));
    });
    expect((await soon(session.fetch(`${service}/x`), 500)).status).toBe(401);
    expect(bearers(calls)).toHaveLength(1);
  });

  it('refreshes after a 401 and asks once more, and no further', async () => {
    const { answer, calls, issue } = openService();
    put(issue());
    const { session } = openTab(answer);
    await pass(11_000);
    const response = await soon(session.fetch(`${service}/x`, { method: 'POST', body: '{}' }), 500);
    expect(response.status).toBe(401);
    const made = bearers(calls);
    expect(made).toHaveLength(2);
    expect(new Set(made).size).toBe(2);
  });
});
