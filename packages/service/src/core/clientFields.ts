import * as v from 'valibot';
import { isProtected } from '../platform/addresses.ts';

/** The scopes that an application may ask for, besides `openid`. */
export const clientScopes = ['profile', 'email', 'applications', 'offline_access'] as const;

/** One factor, and two factors or a passkey. */
export const authenticationLevels = ['urn:vestibule:1', 'urn:vestibule:2'] as const;

const oneLine = v.pipe(v.string(), v.regex(/^\P{Cc}{1,100}$/u, 'must be text of one line'));

const webAddress = v.pipe(
  v.string(),
  v.check((value) => {
    const url = URL.parse(value);
    return isProtected(value) && url?.username === '' && url.password === '' && !value.includes('#');
  }, 'must be an https address without a user and a fragment'),
);

/** Names of schemes that a browser or the system carries out itself have no dot (RFC 8252 §7.1). */
const privateScheme = /^[a-z][a-z\d+-]*(?:\.[a-z\d+-]+)+:\/[^#\s\\]*$/i;
/** RFC 8252 §7.3. */
const loopback = /^http:\/\/(?:127\.0\.0\.1|\[::1\])(?::\d{1,5})?(?:[/?][^#\s\\]*)?$/;

/** An address that is compared as text, except for the port of a loopback address. */
const redirectAddress = v.pipe(
  v.string(),
  v.check(
    (value) =>
      privateScheme.test(value) ||
      loopback.test(value) ||
      (v.is(webAddress, value) && !/[*\\\s]/.test(value)),
    'must be an https address without a user, a fragment and wildcards, http on this machine, or an address of a scheme such as com.example.app:/',
  ),
);

const publicKey = v.pipe(
  v.looseObject({ kty: v.picklist(['RSA', 'EC', 'OKP'], 'must be RSA, EC or OKP') }),
  v.check((key) => !('d' in key), 'must be a public key'),
);

const addresses = v.optional(v.array(redirectAddress), []);
const flag = v.optional(v.boolean('must be true or false'), false);

const entries = {
  id: v.pipe(
    v.string(),
    v.regex(
      /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
      'must be up to 64 letters, digits, dots, hyphens and underscores',
    ),
  ),
  /** As users read it. */
  name: oneLine,
  url: v.optional(webAddress),
  logo: v.optional(webAddress),
  redirectUris: addresses,
  postLogoutRedirectUris: addresses,
  /** Where logout tokens are posted (OpenID Connect Back-Channel Logout). */
  backchannelLogoutUri: v.optional(webAddress),
  /** Where the ends of its confirmations are posted. */
  confirmationUri: v.optional(webAddress),
  /** Where its sign-in begins (OpenID Connect Core §4), for a user whose request is over. Absent: at `url`. */
  initiateLoginUri: v.optional(webAddress),
  scopes: v.optional(v.array(v.picklist(clientScopes, `must be one of ${clientScopes.join(', ')}`)), [
    'profile',
    'email',
    'offline_access',
  ]),
  /** The user is asked once before the application receives anything. */
  consent: flag,
  /** Required: pushed authorization requests (RFC 9126), and tokens that are bound to a key (RFC 9449). */
  par: flag,
  dpop: flag,
  /** It may have payments confirmed. */
  confirmations: flag,
  /** The keys with which it signs its assertions (`private_key_jwt`). */
  jwks: v.optional(v.looseObject({ keys: v.pipe(v.array(publicKey), v.minLength(1, 'must have a key')) })),
  jwksUri: v.optional(webAddress),
  /** Only people who have this persona group get in, and are asked to confirm payments. */
  persona: v.optional(oneLine),
  /** The least level of authentication. */
  acr: v.optional(v.picklist(authenticationLevels, `must be one of ${authenticationLevels.join(', ')}`)),
  idTokenAlgorithm: v.optional(v.picklist(['ES256', 'RS256'], 'must be ES256 or RS256'), 'RS256'),
};

/** The fields of a client, without its secrets. */
export const clientFields = v.pipe(
  v.strictObject(entries),
  v.check(
    ({ jwks, jwksUri }) => jwks === undefined || jwksUri === undefined,
    'must not have both jwks and jwksUri',
  ),
);

export type ClientFields = v.InferOutput<typeof clientFields>;

const path = v.pipe(v.string(), v.regex(/^\P{Cc}+$/u, 'must be the path of a file'));
const hash = v.pipe(
  v.string(),
  v.regex(/^sha256:[0-9a-f]{64}$/, 'must be sha256: and 64 digits of lower-case hex'),
);
const oneOrTwo = (schema: v.GenericSchema<string, string>) =>
  v.optional(
    v.pipe(
      v.union([v.array(schema), schema], 'must be text, or a list of two during a rotation'),
      v.transform((given) => (typeof given === 'string' ? [given] : given)),
      v.maxLength(2, 'must not have more than two'),
    ),
    [],
  );

/** A client of the deployment file. Its secrets are in files, or hashed; two are valid during a rotation. */
const deployedClient = v.pipe(
  v.strictObject({ ...entries, secretFile: oneOrTwo(path), secretHash: oneOrTwo(hash) }),
  v.check(
    ({ jwks, jwksUri }) => jwks === undefined || jwksUri === undefined,
    'must not have both jwks and jwksUri',
  ),
  v.check(
    ({ jwks, jwksUri, secretFile, secretHash }) =>
      (jwks === undefined && jwksUri === undefined) || secretFile.length + secretHash.length === 0,
    'must not have both keys and a secret',
  ),
);

export type DeployedClient = v.InferOutput<typeof deployedClient>;

/** The clients of a deployment, whose ids differ. */
export const deployedClients = v.pipe(
  v.array(deployedClient),
  v.check(
    (clients) => new Set(clients.map(({ id }) => id)).size === clients.length,
    'must not have two clients with one id',
  ),
);

/** The variable with the clients in JSON, which `readDeployment` writes. */
export const clientsVariable = v.optional(
  v.pipe(
    v.string(),
    v.rawTransform(({ dataset, addIssue, NEVER }) => {
      let given: unknown;
      try {
        given = JSON.parse(dataset.value);
      } catch {
        addIssue({ message: 'must be JSON.' });
        return NEVER;
      }
      const read = v.safeParse(deployedClients, given);
      if (read.success) return read.output;
      const [issue] = read.issues;
      addIssue({ message: `is wrong at ${v.getDotPath(issue) ?? 'its root'}: ${issue.message}.` });
      return NEVER;
    }),
  ),
);
