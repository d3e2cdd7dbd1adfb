/** @jest-environment node */
import { createPasskeys } from '@shared/ports/browser/passkeys';
import { passkeys } from '../../../support/builders';

type Ask = (options: CredentialRequestOptions) => Promise<unknown>;

/** A browser whose requests the test answers. */
const readsJson = { PublicKeyCredential: { parseRequestOptionsFromJSON: (json: unknown) => json } };
const browserWith = (get: Ask, api: object = readsJson) =>
  ({ navigator: { credentials: { get } }, ...api }) as unknown as Window;

const { publicKey } = passkeys.options;
const request = (signal = new AbortController().signal) => ({ publicKey, conditional: false, signal });
const given = { toJSON: () => passkeys.assertion };
const thrown =
  (name: string): Ask =>
  () =>
    Promise.reject(new DOMException('', name));

/** Ends when it is aborted, one task later. */
const untilAborted: Ask = ({ signal }) =>
  new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => setTimeout(() => reject(new DOMException('', 'AbortError'))));
  });

it.each<[string, Ask, object]>([
  ['gives the credential', () => Promise.resolve(given), { kind: 'given', credential: passkeys.assertion }],
  ['was cancelled by the user', thrown('NotAllowedError'), { kind: 'cancelled' }],
  ['was refused', thrown('SecurityError'), { kind: 'failed' }],
  ['gave another credential', () => Promise.resolve({}), { kind: 'failed' }],
  ['gave nothing', () => Promise.resolve(null), { kind: 'failed' }],
])('a request that %s', async (_what, get, outcome) => {
  await expect(createPasskeys(browserWith(get)).get(request())).resolves.toEqual(outcome);
});

it.each<[string, object]>([
  ['that has no passkeys', {}],
  ['that does not read JSON', { PublicKeyCredential: {} }],
])('a browser %s fails, supports nothing, and gets no signals', async (_what, api) => {
  const own = createPasskeys(browserWith(thrown('NotAllowedError'), api));
  await expect(own.get(request())).resolves.toEqual({ kind: 'failed' });
  for (const capability of ['get', 'conditionalGet'] as const)
    await expect(own.supports(capability)).resolves.toBe(false);
  await expect(
    own.signal('signalUnknownCredential', { rpId: 'a', credentialId: 'k' }),
  ).resolves.toBeUndefined();
});

it('a browser that reads JSON supports requests, whatever else it can', async () => {
  await expect(createPasskeys(browserWith(untilAborted)).supports('get')).resolves.toBe(true);
});

it('a new request aborts the one before, and waits until it is over', async () => {
  let running = 0;
  const atOnce: number[] = [];
  const counted =
    (ask: Ask): Ask =>
    async (options) => {
      atOnce.push((running += 1));
      try {
        return await ask(options);
      } finally {
        running -= 1;
      }
    };
  const first = createPasskeys(browserWith(counted(untilAborted))).get({ ...request(), conditional: true });
  const second = createPasskeys(browserWith(counted(untilAborted))).get(request());
  const third = createPasskeys(browserWith(counted(() => Promise.resolve(given)))).get(request());
  await expect(Promise.all([first, second, third])).resolves.toMatchObject([
    { kind: 'cancelled' },
    { kind: 'cancelled' },
    { kind: 'given' },
  ]);
  expect(Math.max(...atOnce)).toBe(1);
});

it('a request whose screen was left is aborted', async () => {
  const leaving = new AbortController();
  const asked = createPasskeys(browserWith(untilAborted)).get(request(leaving.signal));
  setTimeout(() => leaving.abort());
  await expect(asked).resolves.toEqual({ kind: 'cancelled' });
});
