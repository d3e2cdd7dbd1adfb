import { createSession } from '@vestibule/client';
import type { SessionEnd } from '@features/session';
import type { ApiError } from '@shared/api/apiError';
import { testConfig } from '../../../__tests__/support/builders';
import { createFakeLocks, createFakePageLife, type FakePageLife } from '../../../__tests__/support/fakePorts';
import type { SharedOutside, Tab } from './tabModel';
import type { TimerOwner } from './virtualTime';

const { cookies, serviceUrl, signOnUrl } = testConfig();

/** A tab of an application: the kit's real session over the fakes of the page's tabs. Its user signs in on the page. */
export function openKitTab(shared: SharedOutside, onEnd: (reason: SessionEnd) => void): Tab {
  const { time } = shared;
  const owner: TimerOwner = { hiddenSince: time.now() };
  const pageLife = createFakePageLife();
  const session = createSession(
    { ...cookies, serviceUrl, signOnUrl, refreshGraceSeconds: shared.graceSeconds },
    fakeBrowser(shared, owner, pageLife),
  );
  time.inTab(owner, () =>
    session.subscribe((event) => {
      if (event === 'signed-out') onEnd('missing');
    }),
  );
  return {
    owner,
    pageLife,
    signOut: () => time.inTab(owner, session.signOut),
    close: session.close,
  };
}

/** The parts of a window that the kit uses. */
function fakeBrowser(
  { time, jar, storage, hasLocks, heldLocks, sendRefresh }: SharedOutside,
  owner: TimerOwner,
  pageLife: FakePageLife,
): Window & typeof globalThis {
  const events = new EventTarget();
  pageLife.subscribe((event) => {
    const type = event === 'shown' || event === 'hidden' ? 'visibilitychange' : event;
    time.inTab(owner, () => events.dispatchEvent(new Event(type)));
  });
  // The keys of the fake storage have no prefix.
  const keyOf = (name: string) => name.slice(cookies.prefix.length + 1);
  const locks = createFakeLocks(heldLocks, pageLife);
  const request = async (name: string, _options: object, work: (lock: object | null) => Promise<unknown>) => {
    const { held } = await locks.tryRun(name, () => work({ name }));
    if (!held) await work(null);
  };
  const document = {
    get cookie() {
      const pairs = jar
        .names()
        .flatMap((name) => jar.readAll(name).map((value) => `${name}=${encodeURIComponent(value)}`));
      return pairs.join('; ');
    },
    set cookie(text: string) {
      const [, name = '', value = ''] = /^([^=]*)=([^;]*)/.exec(text) ?? [];
      const expires = /; expires=(.*)$/.exec(text)?.[1];
      const at = Date.parse(expires ?? '');
      if (at === 0) jar.remove(name);
      else jar.write(name, decodeURIComponent(value), expires === undefined ? undefined : at);
    },
  };
  // js-cookie writes into the global one. All tabs have the same cookies.
  Object.assign(globalThis, { document });
  let timer: ReturnType<typeof setTimeout>;
  const repeat = (run: () => void, ms: number) => {
    timer = setTimeout(() => {
      run();
      repeat(run, ms);
    }, ms);
  };
  return {
    addEventListener: events.addEventListener.bind(events),
    removeEventListener: events.removeEventListener.bind(events),
    crypto,
    document,
    fetch: (_url: string, { body, signal }: { readonly body: string; readonly signal: AbortSignal }) => {
      const { refresh } = JSON.parse(body) as { readonly refresh: string };
      const respond = (status: number, given: unknown, retryAfterMs = 0) => ({
        ok: status === 200,
        status,
        headers: new Headers({ 'Retry-After': String(retryAfterMs / 1000) }),
        json: () => Promise.resolve(given),
      });
      return sendRefresh(owner, refresh, { timeoutMs: 10_000, signal }).then(
        (tokens) => respond(200, tokens),
        (error: unknown) => {
          const { details } = error as ApiError;
          if (details.status === undefined) throw new TypeError('Failed to fetch');
          return respond(details.status, null, details.retryAfterMs);
        },
      );
    },
    localStorage: {
      getItem: (name: string) => storage.read(keyOf(name)),
      setItem: (name: string, text: string) => storage.write(keyOf(name), text),
    },
    location: { hostname: 'payments.localhost', origin: signOnUrl, pathname: '/' },
    navigator: {
      get onLine() {
        return pageLife.isOnline();
      },
      ...(hasLocks && { locks: { request } }),
    },
    performance: { now: time.awake },
    setTimeout: (run: () => void, ms: number) => void time.pause(owner, ms).then(run),
    // A call that has ended is not disturbed by the abort.
    clearTimeout: () => undefined,
    setInterval: repeat,
    clearInterval: () => {
      clearTimeout(timer);
    },
  } as unknown as Window & typeof globalThis;
}
