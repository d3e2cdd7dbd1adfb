import { randomUUID, sign as signatureOf } from 'node:crypto';
import { errors, jwtVerify, type JWTPayload } from 'jose';
import type { AccessTokenClaims } from '@vestibule/contract/schema';
import { signingAlgorithm, type SigningKeys } from './signingKeys.ts';

/** Of which key the signature is: it may have been revoked since this process has read the keys (see `isTrustedKey`). */
interface Signed {
  readonly kid: string;
}

/** A session token once its signature, issuer and life are checked. */
export interface SessionBearer extends Signed {
  readonly kind: 'session';
  readonly uid: string;
  readonly sessionId: string;
}

/** The same of an `mfaJWT` (docs/behaviour.md#setup-mode: a bearer without a session). */
export interface SetupBearer extends SetupGrounds, Signed {
  readonly kind: 'setup';
  readonly uid: string;
  /** By which it can be revoked. */
  readonly tokenId: string;
}

/**
 * The state of the user that an `mfaJWT` was given for. It is named, and not the time of issue: in whole seconds that
 * could not tell which came first.
 */
export interface SetupGrounds {
  /** A mark of the password and the e-mail that it stands for: see `setupGrounds.ts`. */
  readonly credentials: string;
  /** The user's `factors_version`. */
  readonly factorsVersion: number;
}

/** Who calls. */
export type Bearer = SessionBearer | SetupBearer;

/** The claims that come from the account; the rest is the signer's business. */
export type AccountClaims = Omit<AccessTokenClaims, 'exp' | 'iat' | 'isMfaSetup'>;

/** Signs and checks the three kinds of token, and an empty one. Their header's `typ` keeps one from being used as another. */
export interface SignedTokens {
  readonly signSession: (claims: AccountClaims, sessionId: string) => string;
  /** The `mfaJWT`. */
  readonly signSetup: (claims: AccountClaims, grounds: SetupGrounds) => string;
  /** The `trustedToken`; `deviceId` can be revoked. */
  readonly signTrust: (uid: string, deviceId: string, expiresAt: Date) => string;
  /** A token without a user, expired when it is signed, of a type that is read nowhere: fills a field of an answer. */
  readonly signEmpty: () => string;
  /** `null` for any token that is not a live session or set-up token of this issuer. */
  readonly readBearer: (token: string) => Promise<Bearer | null>;
  /** `null` for any token that is not a live trust token of this issuer. */
  readonly readTrust: (token: string) => Promise<(Signed & { uid: string; deviceId: string }) | null>;
}

const types = {
  session: 'at+jwt',
  setup: 'mfa-setup+jwt',
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

export function createSignedTokens(options: SignerOptions): SignedTokens {
  // Not by jose, which hands each signature to the pool where passwords are hashed: it would wait for a hash, and handing it
  // over costs more than the signature.
  const sign = (type: string, claims: JWTPayload, expiresAtSeconds: number): string => {
    const { kid, privateKey } = options.keys.signer();
    const header = { alg: signingAlgorithm, kid, typ: type };
    const { issuer: iss, now } = options;
    const payload = { ...claims, iss, iat: seconds(now()), exp: expiresAtSeconds };
    const signed = [header, payload].map((part) => base64url(JSON.stringify(part))).join('.');
    const signature = signatureOf('sha256', Buffer.from(signed), {
      key: privateKey,
      dsaEncoding: 'ieee-p1363',
    });
    return `${signed}.${signature.toString('base64url')}`;
  };

  const read = async (token: string, type: string): Promise<(JWTPayload & Signed) | null> => {
    try {
      const { payload, protectedHeader } = await jwtVerify(token, options.keys.find, {
        algorithms: [signingAlgorithm],
        issuer: options.issuer,
        typ: type,
        currentDate: new Date(options.now()),
        requiredClaims: ['exp', 'iat'],
      });
      return { ...payload, kid: protectedHeader.kid ?? '' };
    } catch (error) {
      if (error instanceof errors.JOSEError || error instanceof TypeError) return null;
      throw error;
    }
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
        { ...claims, isMfaSetup: true, credentials, factorsVersion, jti: randomUUID() },
        seconds(options.now()) + options.setupTokenSeconds,
      ),
    signTrust: (uid, deviceId, expiresAt) =>
      sign(types.trust, { uid, jti: deviceId }, seconds(expiresAt.getTime())),
    signEmpty: () => sign(types.empty, {}, seconds(options.now())),
    readBearer: async (token) => {
      const session = await read(token, types.session);
      if (session !== null) return sessionBearerFrom(session);
      const setup = await read(token, types.setup);
      return setup === null ? null : setupBearerFrom(setup);
    },
    readTrust: async (token) => {
      const claims = await read(token, types.trust);
      if (claims === null) return null;
      const { uid, jti: deviceId, kid } = claims;
      return typeof uid === 'string' && typeof deviceId === 'string' ? { uid, deviceId, kid } : null;
    },
  };
}

function sessionBearerFrom({ uid, sid, kid }: JWTPayload & Signed): SessionBearer | null {
  return typeof uid === 'string' && typeof sid === 'string'
    ? { kind: 'session', uid, sessionId: sid, kid }
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

function base64url(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64url');
}

function seconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000);
}
