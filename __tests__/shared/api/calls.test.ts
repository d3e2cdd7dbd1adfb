/** @jest-environment node */
import { ApiError } from '@shared/api/apiError';
import * as fc from 'fast-check';
import { anyLinkId } from '../../support/anyLinkId';
import { createAllCalls } from '../../support/allCalls';
import type { Calls } from '../../support/callRow';
import { callRows, nameOf, responseOf } from '../../support/callRows';
import { answering, startScriptedService, type ScriptedService } from '../../support/scriptedService';

let service: ScriptedService;
let api: Calls;

beforeAll(async () => {
  service = await startScriptedService();
  api = await createAllCalls({
    serviceUrl: service.url,
    clock: { now: () => Date.now(), monotonic: () => 0, pause: () => Promise.resolve() },
  });
});

afterAll(async () => {
  await service.stop();
});

beforeEach(() => {
  service.forget();
});

/** Makes the call and returns what arrived: method, path, body, and what the application got. */
async function exchange<T>(call: (api: Calls) => Promise<T>, answer: unknown) {
  service.behave(answering(answer));
  const decoded = await call(api);
  const [request, ...others] = service.received;
  expect(others).toEqual([]);
  const body: unknown = request?.body === '' ? undefined : JSON.parse(request?.body ?? '');
  return {
    sent: [`${request?.method ?? ''} ${request?.url ?? ''}`, body, request?.headers.authorization],
    decoded,
  };
}

it.each(Object.entries(callRows))(
  'a call sends what the contract says, and accepts it: %s',
  async (_name, row) => {
    const [call, answer, sent] = row;
    await expect(exchange(call, answer)).resolves.toEqual({ sent, decoded: responseOf(row) });
  },
);

it('every call of the application has a row', () => {
  const names = Object.entries(api).flatMap(([group, calls]) =>
    Object.keys(calls).map((name) => `${group}.${name}`),
  );
  const called = new Set(Object.values(callRows).map((row) => nameOf(row).join('.')));
  expect([...called].sort()).toEqual(names.sort());
});

describe('text in a path', () => {
  it.each([
    ['a username', '/auth/v1/method/', (text: string) => api.auth.methods(text), []],
    [
      'the id of an API invitation',
      '/user-management/v1/api-users/invite/link/',
      (text: string) => api.users.apiInvite(text),
      { apiKey: 'k', apiSecret: 's' },
    ],
  ] as const)(
    'is sent as exactly one segment: %s',
    async (_name, path, call, answer) => {
      const fetch = jest
        .spyOn(globalThis, 'fetch')
        .mockImplementation(() => Promise.resolve(new Response(JSON.stringify(answer))));
      await fc.assert(
        fc.asyncProperty(anyLinkId, async (text) => {
          await call(text);
          const request = fetch.mock.lastCall?.[0];
          const sent = request instanceof Request ? request.url.slice(service.url.length) : '';
          expect(sent.startsWith(path)).toBe(true);
          expect(sent.slice(path.length)).not.toMatch(/[/?#\\]/);
          expect(decodeURIComponent(sent.slice(path.length))).toBe(text);
        }),
        { numRuns: 100 },
      );
      fetch.mockRestore();
    },
    30_000,
  );

  it.each([
    ['an empty one', ''],
    ['a dot', '.'],
    ['two dots', '..'],
    ['an unpaired surrogate', 'ada\ud800'],
    ['more than 512 characters', 'a'.repeat(513)],
  ])('is rejected before any request: %s', async (_case, text) => {
    for (const call of [api.auth.methods(text), api.users.attributes('b', text), api.users.apiInvite(text)]) {
      await expect(call).rejects.toBeInstanceOf(ApiError);
      await expect(call).rejects.toMatchObject({ kind: 'unexpected' });
    }
    expect(service.received).toEqual([]);
  });
});
