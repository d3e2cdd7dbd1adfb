import { randomBytes } from 'node:crypto';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import type { ProvidersOptions } from '../../src/index.ts';

export const scriptedIssuer = 'https://accounts.provider.test';
const scriptedClientId = 'client-1';

/** A code, a code verifier or a nonce. */
export const random = (): string => randomBytes(32).toString('base64url');

type Claims = Readonly<Record<string, unknown>>;

/** What the provider does wrong. */
export interface Script {
  /** Claims of the ID token that differ from valid ones; `undefined` omits one. They may depend on the code. */
  readonly claims?: Claims | ((code: string) => Claims);
  /** Signs with a key that is not published. */
  readonly foreignKey?: boolean;
  /** Removes the signature and sets `alg: none`. */
  readonly unsigned?: boolean;
  /** Returns this instead of the token. */
  readonly tokenAnswer?: () => Response;
  /** Returns this in its OpenID configuration. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly jwksAnswer?: () => Response;
}

/** A provider that returns tokens that no real one would. */
export type ScriptedProvider = Awaited<ReturnType<typeof scriptedProvider>>;

const json = (body: unknown): Response => Response.json(body);

/** One key pair of each kind for a test file: creating one takes up to a second. */
const published = generateKeyPair('RS256');
const foreign = generateKeyPair('RS256');

/** Acts as a Google-type provider for calls to its `fetch`; nothing listens on a port. */
export async function scriptedProvider(timeoutSeconds = 10, issuer = scriptedIssuer) {
  const key = { ...(await exportJWK((await published).publicKey)), kid: 'k1', use: 'sig', alg: 'RS256' };
  let script: Script = {};
  let calls: readonly URLSearchParams[] = [];

  const idToken = async (code: string): Promise<string> => {
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      iss: issuer,
      aud: scriptedClientId,
      sub: 'person-1',
      iat: now,
      exp: now + 3600,
      email: 'ada@example.com',
      email_verified: true,
      ...(typeof script.claims === 'function' ? script.claims(code) : script.claims),
    };
    if (script.unsigned === true) {
      const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
      return `${part({ alg: 'none' })}.${part(claims)}.`;
    }
    return new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', kid: 'k1' })
      .sign((await (script.foreignKey === true ? foreign : published)).privateKey);
  };

  const response = async (request: Request): Promise<Response> => {
    switch (new URL(request.url).pathname) {
      case '/.well-known/openid-configuration':
        return json({
          issuer,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/keys`,
          id_token_signing_alg_values_supported: ['RS256'],
          ...script.metadata,
        });
      case '/keys':
        return script.jwksAnswer?.() ?? json({ keys: [key] });
      default: {
        const body = new URLSearchParams(await request.text());
        calls = [...calls, body];
        const id_token = await idToken(body.get('code') ?? '');
        return (
          script.tokenAnswer?.() ??
          json({ access_token: 'a', token_type: 'Bearer', expires_in: 3600, id_token })
        );
      }
    }
  };

  const options: ProvidersOptions = {
    google: { issuer, clientId: scriptedClientId, clientSecret: 'secret-1' },
    redirectUri: 'https://login.example.com/oauth-redirect',
    timeoutSeconds,
    fetch: (input, init) => response(new Request(input, init)),
  };
  return {
    options,
    /** Applies from the next call on; `{}` makes a correct provider. */
    play: (next: Script) => {
      script = next;
    },
    /** Bodies of the token calls, in order. */
    tokenCalls: () => calls,
  };
}
