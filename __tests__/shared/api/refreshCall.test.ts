/** @jest-environment node */
import { ApiError } from '@shared/api/apiError';
import type { Timing } from '@vestibule/client/hedgedRequest';
import type { TokenPair } from '@shared/api/decoders';
import { authCalls } from '@shared/api/liveApi';
import type { Http } from '@shared/api/http';
import { createFakeClock } from '../../support/fakePorts';

describe('until answered', () => {
  beforeEach(() => jest.useFakeTimers());

  const clock = {
    now: () => Date.now(),
    monotonic: () => performance.now(),
    pause: (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms)),
  };

  const refreshing = (send: (timing: Timing) => Promise<unknown>, graceMs: number) =>
    authCalls({ post: (_path: string, timing: Timing) => send(timing) } as unknown as Http, {
      ...{ clock, refreshGraceSeconds: graceMs / 1000 },
    }).refresh('r-1');

  /** A call to a service that answers each copy as arranged: after `ms`, or not at all. */
  type Reply = { readonly afterMs: number; readonly answer: string | ApiError } | 'silence';

  const sending = (...replies: readonly Reply[]) => sendingWith(10_000, ...replies);
  const sendingWith = (graceMs: number, ...replies: readonly Reply[]) => {
    const sentAt: number[] = [];
    const dropped: number[] = [];
    const start = Date.now();
    const send = ({ timeoutMs, signal }: Timing): Promise<string> => {
      const number = sentAt.length;
      sentAt.push(Date.now() - start);
      signal.addEventListener('abort', () => dropped.push(number));
      const reply = replies[number] ?? 'silence';
      return new Promise((resolve, reject) => {
        const silent = reply === 'silence' || reply.afterMs >= timeoutMs;
        const answer = silent ? new ApiError('timeout') : reply.answer;
        setTimeout(
          () => {
            if (typeof answer === 'string') resolve(answer);
            else reject(answer);
          },
          silent ? timeoutMs : reply.afterMs,
        );
      });
    };
    const ended: { atMs?: number; value?: unknown } = {};
    const end = (value: unknown) => Object.assign(ended, { atMs: Date.now() - start, value });
    refreshing(send, graceMs).then(end, end);
    return { sentAt, dropped, ended };
  };
  const passing = (ms: number) => jest.advanceTimersByTimeAsync(ms);
  const refused = new ApiError('server', { status: 401 });
  const busy = new ApiError('server', { status: 503 });
  const reset = new ApiError('network');

  describe('a refresh that is answered', () => {
    it.each([0, 500, 2999])('after %d ms is sent once', async (afterMs) => {
      const { sentAt, ended } = sending({ afterMs, answer: 'tokens' });
      await passing(30_000);
      expect(sentAt).toEqual([0]);
      expect(ended).toEqual({ atMs: afterMs, value: 'tokens' });
    });

    it.each([refused, busy, new ApiError('unexpected')])('by %p is not sent again', async (answer) => {
      const { sentAt, ended } = sending({ afterMs: 100, answer });
      await passing(30_000);
      expect(sentAt).toEqual([0]);
      expect(ended).toEqual({ atMs: 100, value: answer });
    });
  });

  describe('a refresh whose response is lost', () => {
    it('is sent again while it hangs, early enough for the service to answer it again', async () => {
      const { sentAt, dropped, ended } = sending('silence', { afterMs: 200, answer: 'tokens' });
      await passing(30_000);
      expect(ended).toEqual({ atMs: 3200, value: 'tokens' });
      expect(sentAt).toEqual([0, 3000]);
      // The first must not arrive late: it would look like a stolen token.
      expect(dropped).toContain(0);
    });

    it('together with its connection is sent again at the same time', async () => {
      const { ended } = sending({ afterMs: 50, answer: reset }, { afterMs: 200, answer: 'tokens' });
      await passing(30_000);
      expect(ended).toEqual({ atMs: 3200, value: 'tokens' });
    });

    it('every time ends after 10 s, and is never sent later than 10 s after the first time', async () => {
      const { sentAt, ended } = sending('silence', 'silence', 'silence');
      await passing(30_000);
      expect(sentAt).toEqual([0, 3000, 6000]);
      expect(ended.atMs).toBe(10_000);
      expect(ended.value).toMatchObject({ kind: 'timeout' });
    });

    it('and then rejected is rejected', async () => {
      const { ended } = sending('silence', { afterMs: 100, answer: refused });
      await passing(30_000);
      expect(ended).toEqual({ atMs: 3100, value: refused });
    });
  });

  describe('a refresh at a service without a grace period', () => {
    it('is sent once, and times out after 10 s', async () => {
      const { sentAt, ended } = sendingWith(0, 'silence', { afterMs: 1, answer: 'tokens' });
      await passing(30_000);
      expect(sentAt).toEqual([0]);
      expect(ended).toMatchObject({ atMs: 10_000, value: { kind: 'timeout' } });
    });

    it('ends at once when its connection breaks', async () => {
      const { sentAt, ended } = sendingWith(0, { afterMs: 50, answer: reset });
      await passing(30_000);
      expect(sentAt).toEqual([0]);
      expect(ended).toEqual({ atMs: 50, value: reset });
    });
  });

  describe('a refresh at a service with another grace period', () => {
    it.each([
      { graceMs: 6999, copies: [] },
      { graceMs: 7000, copies: [3000] },
      { graceMs: 9999, copies: [3000] },
      { graceMs: 60_000, copies: [3000, 6000] },
    ])('of $graceMs ms is copied at $copies', async ({ graceMs, copies }) => {
      const { sentAt } = sendingWith(graceMs, 'silence', 'silence', 'silence');
      await passing(30_000);
      expect(sentAt).toEqual([0, ...copies]);
    });

    it('has no pending copy after it, while the first call is awaited', async () => {
      const { sentAt, ended } = sendingWith(
        7000,
        { afterMs: 9000, answer: 'tokens' },
        { afterMs: 5000, answer: 'too late' },
      );
      await passing(30_000);
      expect(sentAt).toEqual([0, 3000]);
      expect(ended).toEqual({ atMs: 9000, value: 'tokens' });
    });
  });

  it('an internal error is passed on unchanged', async () => {
    const bug = new TypeError('a bug');
    await expect(refreshing(() => Promise.reject(bug), 10_000)).rejects.toBe(bug);
  });

  it('is not repeated by a page that slept meanwhile: the token may be used by now', async () => {
    const { sentAt, ended } = sending('silence', 'silence', 'silence');
    await passing(1000);
    // The page was in the back/forward cache: its timers stop, the clock continues.
    jest.setSystemTime(Date.now() + 60_000);
    await passing(30_000);
    expect(sentAt).toEqual([0]);
    expect(ended.value).toMatchObject({ kind: 'timeout' });
  });
});

describe('the refresh call', () => {
  beforeEach(() => jest.useFakeTimers());

  const refreshing = (refreshGraceSeconds?: number) => {
    const answers: ((tokens: TokenPair) => void)[] = [];
    const post = jest.fn(() => new Promise<TokenPair>((resolve) => void answers.push(resolve)));
    const http = { post } as unknown as Http;
    return { answers, post, api: authCalls(http, { clock: createFakeClock(), refreshGraceSeconds }) };
  };
  const renewed = { token: 't', refresh: 'r-2' };

  it.each([
    [1, undefined],
    [3, 10],
  ])('without an answer is sent %d times, with a grace period of %s s', async (times, graceSeconds) => {
    const { api, post } = refreshing(graceSeconds);
    void api.refresh('r-1');
    await jest.advanceTimersByTimeAsync(9000);
    expect(post).toHaveBeenCalledTimes(times);
  });

  it('answers concurrent callers with the same token', async () => {
    const { api, answers, post } = refreshing();
    const asked = [api.refresh('r-1'), api.refresh('r-1')];
    answers[0]?.(renewed);
    expect(await Promise.all(asked)).toEqual([renewed, renewed]);
    expect(post).toHaveBeenCalledTimes(1);
    void api.refresh('r-1');
    expect(post).toHaveBeenCalledTimes(2);
  });
});
