import { jwtDecode } from 'jwt-decode';
import { claimsOf, toleranceMs, type Claims, type Payload } from './claims.ts';

export type { Claims };

/** Which tokens are accepted. */
export interface VerifierOptions {
  /** The service's `ISSUER`: the `iss` of its tokens, and the origin of its keys. */
  readonly issuer: string;
  /** Where the keys are, if not at `/.well-known/jwks.json` of the issuer. */
  readonly jwksUrl?: string;
  /**
   * The audience that the `aud` of a token must contain. Without it `aud` is not checked, and only session tokens are accepted:
   * access tokens of OpenID Connect are made for one audience each.
   */
  readonly audience?: string;
  /** What fetches the keys, for servers behind a proxy; default: the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
  /**
   * A stored key set (RFC 7517), with which `verifyConfirmation` verifies a kept receipt without a request, also years later. It then uses
   * no other key.
   */
  readonly keys?: { readonly keys: readonly object[] };
}

/**
 * The reason for which a token is refused:
 * - `missing`: there is none
 * - `malformed`: it is not a token, or without the claims of a session
 * - `algorithm`, `type`: it is signed by another algorithm than ES256, or is neither a session token nor an access token that its
 *   bearer may use without a proof of possession
 * - `key`: no key of the issuer has its `kid`
 * - `keysUnavailable`: the issuer's keys cannot be fetched. Not the caller's fault: respond with 503
 * - `signature`, `issuer`, `audience`, `expired`, `notYetIssued`: that is wrong
 */
export type Refusal =
  | 'missing'
  | 'malformed'
  | 'algorithm'
  | 'type'
  | 'key'
  | 'keysUnavailable'
  | 'signature'
  | 'issuer'
  | 'audience'
  | 'expired'
  | 'notYetIssued';

/** The OpenID Connect client that a token was issued to, and what its user has allowed it. */
export interface TokenClient {
  readonly id: string;
  readonly scopes: readonly string[];
}

/** The user of a token, or why it is refused. `client`: only with an access token of OpenID Connect. */
export type Verification =
  | { readonly ok: true; readonly claims: Claims; readonly client?: TokenClient }
  | { readonly ok: false; readonly reason: Refusal };

/** How a payment was asked for, and how that ended. A receipt has all fields; an event has none about the proof. */
export interface Confirmation {
  /** Of the request. Compare it: the receipt of another payment is valid too. */
  readonly id: string;
  readonly uid: string;
  /** Only `confirmed` permits the payment. */
  readonly state: 'confirmed' | 'declined' | 'failed' | 'expired';
  readonly amount: { readonly value: string; readonly currency: string };
  readonly payee: { readonly name: string; readonly account?: string };
  readonly reference?: string;
  /** The name of the application, as the user saw it. */
  readonly application: string;
  /** The time of the end. Times are seconds since the epoch. */
  readonly iat: number;
  readonly method?: 'passkey' | 'text';
  /** When the user proved identity, at which level (`urn:vestibule:1`, `urn:vestibule:2`), and how (RFC 8176). */
  readonly authTime?: number;
  readonly acr?: string;
  readonly amr?: readonly string[];
  /** When the passkey or the phone was added. */
  readonly enrolledAt?: number;
}

/** Verifies tokens. Never rejects. */
export interface Verifier {
  /** @param bearer - the token, or an `Authorization` header that holds it */
  readonly verify: (bearer: string | undefined) => Promise<Verification>;
  /**
   * Verifies a receipt, or a posted event about the end of a payment. It needs `audience`, the id of the client that asked. Compare
   * `state`: the event of a declined payment is valid too.
   */
  readonly verifyConfirmation: (
    receiptOrEvent: string,
  ) => Promise<
    | { readonly ok: true; readonly confirmation: Confirmation }
    | { readonly ok: false; readonly reason: Refusal }
  >;
}

/** How long keys are used, and how long no request is made, after an unknown `kid` or a failure, ms. */
const keysLiveMs = 300_000;
const askAgainMs = 10_000;
/** The time limit of a request for the keys, ms. */
const limitMs = 5000;

const ecdsa = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

class Refused extends Error {
  constructor(readonly reason: Refusal) {
    super(reason);
  }
}

/**
 * Verifies session tokens of the issuer with its published keys, and with `audience` access tokens of OpenID Connect too
 * (RFC 9068). One verifier for each process: it holds the keys.
 */
export function createVerifier({
  issuer,
  audience,
  jwksUrl = new URL('/.well-known/jwks.json', issuer).href,
  fetch = globalThis.fetch,
  keys,
}: VerifierOptions): Verifier {
  const findKey = createKeySet(jwksUrl, fetch);
  const findKeyOfReceipt = keys === undefined ? findKey : storedKeys(keys);

  /** Verifies a token of one of the types, by a key that `find` finds. */
  const signedBy = async (token: string, types: readonly string[], find: FindKey) => {
    const { header, payload, signed, signature } = parse(token);
    if (header['alg'] !== 'ES256') throw new Refused('algorithm');
    const type = types.find((one) => one === header['typ']);
    // A token that is bound to a key (DPoP, mTLS) is worth nothing without the proof, which is not checked here.
    if (type === undefined || payload['cnf'] !== undefined) throw new Refused('type');
    const key = await find(header['kid']);
    if (!(await crypto.subtle.verify(ecdsa, key, signature, signed))) throw new Refused('signature');
    if (payload['iss'] !== issuer) throw new Refused('issuer');
    return { payload, type };
  };
  const isForUs = ({ aud }: Payload): boolean => audience !== undefined && [aud].flat().includes(audience);

  const check = async (bearer: string): Promise<Omit<Extract<Verification, { ok: true }>, 'ok'>> => {
    const { payload } = await signedBy(bearer, ['at+jwt'], findKey);
    const client = wellFormed(() => clientOf(payload));
    if (!isForUs(payload) && (audience !== undefined || client)) throw new Refused('audience');
    // In a token of OpenID Connect the subject is the `uid`.
    const claims = wellFormed(() => claimsOf(client ? { ...payload, uid: payload['sub'] } : payload));
    if (claims.exp * 1000 <= Date.now()) throw new Refused('expired');
    if (claims.iat * 1000 > Date.now() + toleranceMs) throw new Refused('notYetIssued');
    return client ? { claims, client } : { claims };
  };

  return {
    verify: async (bearer) =>
      orReason(async () => {
        const token = bearer?.replace(/^bearer(?: |$)/i, '').trim() ?? '';
        if (token === '') throw new Refused('missing');
        return check(token);
      }),
    verifyConfirmation: async (receiptOrEvent) =>
      orReason(async () => {
        const { payload, type } = await signedBy(receiptOrEvent, [receiptType, eventType], findKeyOfReceipt);
        if (!isForUs(payload)) throw new Refused('audience');
        return { confirmation: wellFormed(() => confirmationOf(payload, type === receiptType)) };
      }),
  };
}

async function orReason<Found extends object>(
  check: () => Promise<Found>,
): Promise<({ readonly ok: true } & Found) | { readonly ok: false; readonly reason: Refusal }> {
  try {
    return { ok: true, ...(await check()) };
  } catch (error) {
    if (error instanceof Refused) return { ok: false, reason: error.reason };
    throw error;
  }
}

const receiptType = 'confirmation+jwt';
const eventType = 'confirmation-event+jwt';

/** @throws unless the signed payload has what the service writes */
function confirmationOf(payload: Payload, isReceipt: boolean): Confirmation {
  const { jti: id, sub: uid, iat, amount, payee, reference, application } = payload;
  const { method, auth_time: authTime, acr, amr, enrolled_at: enrolledAt } = payload;
  const state = isReceipt ? 'confirmed' : payload['state'];
  const isWhole = [id, uid, application, state].every((one) => typeof one === 'string');
  if (!isWhole || typeof iat !== 'number' || !isRecord(amount) || !isRecord(payee))
    throw new TypeError('receipt');
  const details = { id, uid, state, amount, payee, application, iat } as Confirmation;
  const proof = isReceipt ? ({ method, authTime, acr, amr, enrolledAt } as Partial<Confirmation>) : {};
  return { ...details, ...proof, ...(typeof reference === 'string' ? { reference } : {}) };
}

const isRecord = (given: unknown): given is object => typeof given === 'object' && given !== null;

/** Checks that JSON is an object. @throws TypeError unless it is an object */
function objectOf(part: Payload | null): Payload {
  if (typeof part !== 'object' || part === null) throw new TypeError('token');
  return part;
}

/** The client of a token of OpenID Connect; `undefined` for a session token, which has none. @throws unless it is well-formed */
function clientOf({ client_id: id, scope = '' }: Payload): TokenClient | undefined {
  if (id === undefined) return undefined;
  if (typeof id !== 'string' || id === '' || typeof scope !== 'string') throw new TypeError('client');
  return { id, scopes: scope.split(' ').filter(Boolean) };
}

/** @throws unless the text is base64url */
function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const binary = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

function parse(token: string) {
  return wellFormed(() => {
    const [, , signature, ...rest] = token.split('.');
    if (signature === undefined || rest.length > 0) throw new TypeError('token');
    return {
      header: objectOf(jwtDecode<Payload | null>(token, { header: true })),
      payload: objectOf(jwtDecode<Payload | null>(token)),
      signed: new TextEncoder().encode(token.slice(0, token.lastIndexOf('.'))),
      signature: bytesOf(signature),
    };
  });
}

function wellFormed<T>(decode: () => T): T {
  try {
    return decode();
  } catch {
    throw new Refused('malformed');
  }
}

type FindKey = (kid: unknown) => Promise<CryptoKey>;

/** The keys of a stored set by `kid`. */
function storedKeys(set: object): FindKey {
  let importing: ReturnType<typeof importKeys> | undefined;
  return async (kid) => known(await (importing ??= importKeys(set)), kid);
}

function known(keys: ReadonlyMap<unknown, CryptoKey>, kid: unknown): CryptoKey {
  const key = keys.get(kid);
  if (key === undefined) throw new Refused('key');
  return key;
}

/** The keys of the issuer by `kid`. They are fetched at the first use, after five minutes, and for an unknown `kid`. */
function createKeySet(url: string, fetch: typeof globalThis.fetch): FindKey {
  let keys: ReadonlyMap<unknown, CryptoKey> = new Map();
  let fetchedAt = -Infinity;
  let askedAt = -Infinity;
  let fetching: Promise<void> | undefined;

  const fetchKeys = async () => {
    askedAt = performance.now();
    const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(limitMs) });
    if (!response.ok) throw new Error(`status ${response.status}`);
    keys = await importKeys(await response.json());
    fetchedAt = askedAt;
  };

  return async (kid) => {
    const hasAged = () => performance.now() - fetchedAt > keysLiveMs;
    if (hasAged() || !keys.has(kid)) {
      if (performance.now() - askedAt > askAgainMs) {
        fetching = fetchKeys().finally(() => {
          fetching = undefined;
        });
      }
      // Without a response, keys that are not too old are used.
      await fetching?.catch(() => undefined);
      if (hasAged()) throw new Refused('keysUnavailable');
    }
    return known(keys, kid);
  };
}

async function importKeys(set: unknown): Promise<ReadonlyMap<unknown, CryptoKey>> {
  const { keys } = set as { readonly keys: readonly (JsonWebKey & { readonly kid?: string })[] };
  const imported = new Map<unknown, CryptoKey>();
  for (const key of keys)
    try {
      const { kty, crv, x, y, kid } = key;
      if (kty !== 'EC' || crv !== 'P-256' || kid === undefined) continue;
      const jwk = { kty, crv, x, y } as JsonWebKey;
      imported.set(kid, await crypto.subtle.importKey('jwk', jwk, ecdsa, false, ['verify']));
    } catch {
      // A malformed key does not affect the tokens of other keys (RFC 7517, section 5).
    }
  return imported;
}
