import { createHmac, hkdfSync, sign as signatureOf, type KeyObject } from 'node:crypto';
import { errors, jwtVerify, type JWTPayload, type JWTVerifyGetKey, type JWTVerifyOptions } from 'jose';
import type { AccessTokenClaims } from '@vestibule/contract/schema';
import { newShortId } from '../../platform/security/opaqueTokens.ts';
import { signingAlgorithm, type SigningKeys } from './signingKeys.ts';

/** The id of the signing key: it may have been revoked since this process read the keys (see `isTrustedKey`). */
interface Signed {
  readonly kid: string;
}

/** A session token whose signature, issuer and lifetime were checked. */
export interface SessionBearer extends Signed {
  readonly kind: 'session';
  readonly uid: string;
  readonly sessionId: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** A setup token (`mfaJWT`) with the same checks: a bearer without a session (docs/behaviour.md#setup-mode). */
export interface SetupBearer extends SetupGrounds, Signed {
  readonly kind: 'setup';
  readonly uid: string;
  /** The id by which it can be revoked. */
  readonly tokenId: string;
}

/**
 * The state of the user for which a setup token was issued. The time of issue, in whole seconds, could not show which
 * of two changes came first.
 */
export interface SetupGrounds {
  /** A digest of the password and the e-mail address: see `setupGrounds.ts`. */
  readonly credentials: string;
  /** The user's `factors_version`. */
  readonly factorsVersion: number;
}

export type Bearer = SessionBearer | SetupBearer;

/** The claims from the account; the signer adds the others. */
export type AccountClaims = Omit<AccessTokenClaims, 'exp' | 'iat' | 'isMfaSetup'>;

/**
 * Signs and checks the types of token, and an empty one. The `typ` in the header prevents the use of one type
 * as another; a trust token has another algorithm.
 */
export interface SignedTokens {
  readonly signSession: (claims: AccountClaims, sessionId: string) => string;
  /** Signs an `mfaJWT`. */
  readonly signSetup: (claims: AccountClaims, grounds: SetupGrounds) => string;
  /** Signs a `trustedToken`; it can be revoked by `deviceId`. */
  readonly signTrust: (deviceId: string, expiresAt: Date) => string;
  /** Signs a token of another type, for a capability; `null`: it does not expire. `iat` is now, unless the claims have it. */
  readonly sign: (type: string, claims: JWTPayload, expiresAt: Date | null) => string;
  /** An expired token without a user, of a type that no call accepts: fills a field of a response. */
  readonly signEmpty: () => string;
  /** `null` for any token that is not a valid session or setup token of this issuer. */
  readonly readBearer: (token: string) => Promise<Bearer | null>;
  /** `null` for any token that is not a valid trust token of this issuer. */
  readonly readTrust: (token: string) => Promise<(Signed & { deviceId: string }) | null>;
  /** `null` for any token that is not a valid one of this type and this issuer. */
  readonly read: (type: string, token: string) => Promise<(JWTPayload & Signed) | null>;
}

const types = {
  session: 'at+jwt',
  setup: 'mfa-setup+jwt',
  /** The type of trust tokens that earlier releases signed with the key itself. They are accepted until the last one has expired. */
  trust: 'trusted-device+jwt',
  empty: 'empty+jwt',
} as const;

interface SignerOptions {
  readonly keys: SigningKeys;
  readonly issuer: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly accessTokenSeconds: number;
  readonly setupTokenSeconds: number;
}

/**
 * Trust tokens are authenticated by HMAC, which halves their length: a browser holds eight of them, and only the service reads
 * them. The secret is derived from the signing key, so it is rotated and revoked with the key.
 */
const trustAlgorithm = 'HS256';

function trustSecretOf(privateKey: KeyObject, issuer: string): Uint8Array {
  const { d = '' } = privateKey.export({ format: 'jwk' });
  return new Uint8Array(hkdfSync('sha256', Buffer.from(d, 'base64url'), issuer, types.trust, 32));
}

export function createSignedTokens(options: SignerOptions): SignedTokens {
  // jose is not used, because it signs in the thread pool where passwords are hashed, so a signature would wait for a hash.
  const sign = (type: string, claims: JWTPayload, expiresAtSeconds: number | null): string => {
    const { kid, privateKey } = options.keys.signer();
    const header = { alg: signingAlgorithm, kid, typ: type };
    const { issuer: iss, now } = options;
    const end = expiresAtSeconds === null ? {} : { exp: expiresAtSeconds };
    const payload = { iat: seconds(now()), ...claims, iss, ...end };
    const signed = joined(header, payload);
    const signature = signatureOf('sha256', Buffer.from(signed), {
      key: privateKey,
      dsaEncoding: 'ieee-p1363',
    });
    return `${signed}.${signature.toString('base64url')}`;
  };

  const verify = (token: string, key: JWTVerifyGetKey, how: JWTVerifyOptions) =>
    verified(token, key, { currentDate: new Date(options.now()), ...how });

  const read = (token: string, typ: string): Promise<(JWTPayload & Signed) | null> =>
    verify(token, options.keys.find, {
      algorithms: [signingAlgorithm],
      issuer: options.issuer,
      typ,
      requiredClaims: ['exp', 'iat'],
    });

  /** The token names no key, so each is tried: the current key, and those that it has replaced within the last month. */
  const readByHmac = async (token: string): Promise<(JWTPayload & Signed) | null> => {
    for (const { kid, privateKey } of options.keys.all()) {
      const secret = trustSecretOf(privateKey, options.issuer);
      const claims = await verify(token, () => secret, {
        algorithms: [trustAlgorithm],
        requiredClaims: ['exp'],
      });
      if (claims !== null) return { ...claims, kid };
    }
    return null;
  };

  return {
    signSession: (claims, sessionId) =>
      sign(
        types.session,
        { ...claims, isMfaSetup: false, sid: sessionId },
        seconds(options.now()) + options.accessTokenSeconds,
      ),
    signSetup: (claims, { credentials, factorsVersion }) =>
      sign(
        types.setup,
        { ...claims, isMfaSetup: true, credentials, factorsVersion, jti: newShortId() },
        seconds(options.now()) + options.setupTokenSeconds,
      ),
    signTrust: (deviceId, expiresAt) => {
      const payload = { jti: deviceId, exp: seconds(expiresAt.getTime()) };
      const signed = joined({ alg: trustAlgorithm }, payload);
      const secret = trustSecretOf(options.keys.signer().privateKey, options.issuer);
      return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
    },
    sign: (type, claims, expiresAt) =>
      sign(type, claims, expiresAt === null ? null : seconds(expiresAt.getTime())),
    signEmpty: () => sign(types.empty, {}, seconds(options.now())),
    readBearer: async (token) => {
      const session = await read(token, types.session);
      if (session !== null) return sessionBearerFrom(session);
      const setup = await read(token, types.setup);
      return setup === null ? null : setupBearerFrom(setup);
    },
    readTrust: async (token) => {
      const claims = (await readByHmac(token)) ?? (await read(token, types.trust));
      if (claims === null) return null;
      const { jti: deviceId, kid } = claims;
      return typeof deviceId === 'string' ? { deviceId, kid } : null;
    },
    read: (type, token) => read(token, type),
  };
}

/** `null` for a token that is not valid. */
async function verified(
  token: string,
  key: JWTVerifyGetKey,
  how: JWTVerifyOptions,
): Promise<(JWTPayload & Signed) | null> {
  try {
    const { payload, protectedHeader } = await jwtVerify(token, key, how);
    return { ...payload, kid: protectedHeader.kid ?? '' };
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError) return null;
    throw error;
  }
}

/** A token with a `client_id` is of OpenID Connect, although it has the same type (RFC 9068). */
function sessionBearerFrom(claims: JWTPayload & Signed): SessionBearer | null {
  const { uid, sid, exp = 0, kid } = claims;
  return !('client_id' in claims) && typeof uid === 'string' && typeof sid === 'string'
    ? { kind: 'session', uid, sessionId: sid, expiresAt: exp * 1000, kid }
    : null;
}

function setupBearerFrom({
  uid,
  jti,
  credentials,
  factorsVersion,
  kid,
}: JWTPayload & Signed): SetupBearer | null {
  return typeof uid === 'string' &&
    typeof jti === 'string' &&
    typeof credentials === 'string' &&
    typeof factorsVersion === 'number'
    ? { kind: 'setup', uid, tokenId: jti, credentials, factorsVersion, kid }
    : null;
}

/** Header and payload as they are signed. */
function joined(header: object, payload: object): string {
  return [header, payload].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
}

function seconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000);
}
