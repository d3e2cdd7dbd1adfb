import { makeOauthSecrets } from '@shared/ports/browser/signInPorts';

/** With WebCrypto, which jsdom gets here. */
const makeThem = async () => {
  const secrets = await makeOauthSecrets();
  if (!secrets) throw new Error('No WebCrypto here');
  return secrets;
};

const genuine = globalThis.crypto;

/** What the page has instead of `crypto`. */
function replaceCrypto(changes: object): void {
  Object.defineProperty(globalThis, 'crypto', { value: changes, configurable: true });
}

afterEach(() => {
  replaceCrypto(genuine);
});

it('creates 256 random bits for each of state, nonce and verifier', async () => {
  const { state, nonce, verifier } = await makeThem();
  for (const secret of [state, nonce, verifier]) expect(secret).toMatch(/^[A-Za-z0-9_-]{43}$/);
});

it('creates each of them once', async () => {
  const flows = await Promise.all(Array.from({ length: 200 }, () => makeThem()));
  const all = flows.flatMap(({ state, nonce, verifier, challenge }) => [state, nonce, verifier, challenge]);
  expect(new Set(all).size).toBe(4 * flows.length);
});

it('matches the example of RFC 7636, appendix B', async () => {
  const octets = [
    ...[116, 24, 223, 180, 151, 153, 224, 37, 79, 250, 96, 125, 216, 173, 187, 186],
    ...[22, 212, 37, 77, 105, 214, 191, 240, 91, 88, 5, 88, 83, 132, 141, 121],
  ];
  replaceCrypto({
    subtle: genuine.subtle,
    getRandomValues: (bytes: Uint8Array<ArrayBuffer>) => {
      bytes.set(octets);
      return bytes;
    },
  });
  await expect(makeOauthSecrets()).resolves.toMatchObject({
    verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
    challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  });
});

it.each([
  ['no crypto', undefined],
  ['no crypto.subtle, as over http', { getRandomValues: genuine.getRandomValues.bind(genuine) }],
])('creates none if the browser has %s', async (_name, crypto) => {
  replaceCrypto(crypto as object);
  await expect(makeOauthSecrets()).resolves.toBeNull();
});
