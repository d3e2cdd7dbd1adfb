// @ts-check
// oidc-provider alone, with which `npm run bench:service -- --openid` compares the service: the same database, features and accounts, with
// the least code around it. It runs in a process of its own, with the URL of the database and its client as arguments.
import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import * as library from 'oidc-provider';
import pg from 'pg';

const [, , databaseUrl, given = ''] = process.argv;
/** @type {{ issuer: string, id: string, secret: string, redirectUris: string[] }} */
const { issuer, ...client } = JSON.parse(given);
const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });
await pool.query(
  `create table if not exists bare_artifacts
   (id text primary key, uid text, grant_id text, payload jsonb not null, expires_at timestamptz, consumed_at timestamptz)`,
);
await pool.query('create index if not exists bare_artifacts_grant on bare_artifacts (grant_id)');
await pool.query('create index if not exists bare_artifacts_uid on bare_artifacts (uid)');

/** @param {string} name @param {string} text @param {readonly unknown[]} values */
const query = async (name, text, values) => (await pool.query({ name, text, values: [...values] })).rows;

/** An adapter as the examples of the library have it. @param {string} model */
const adapterOf = (model) => {
  const keyOf = (/** @type {string} */ id) => `${model}:${id}`;
  const read = (/** @type {any[]} */ [row]) =>
    row === undefined
      ? undefined
      : { ...row.payload, ...(row.consumed_at === null ? {} : { consumed: true }) };
  return {
    upsert: async (/** @type {string} */ id, /** @type {any} */ payload, /** @type {number} */ expiresIn) => {
      await query(
        'upsert',
        `insert into bare_artifacts (id, uid, grant_id, payload, expires_at) values ($1, $2, $3, $4, now() + $5 * interval '1 second')
         on conflict (id) do update set payload = excluded.payload, expires_at = excluded.expires_at`,
        [
          keyOf(id),
          payload.uid ?? null,
          payload.grantId ?? null,
          JSON.stringify(payload),
          expiresIn ?? 86_400,
        ],
      );
    },
    find: async (/** @type {string} */ id) =>
      read(
        await query(
          'find',
          'select payload, consumed_at from bare_artifacts where id = $1 and expires_at > now()',
          [keyOf(id)],
        ),
      ),
    findByUid: async (/** @type {string} */ uid) =>
      read(
        await query(
          'uid',
          'select payload, consumed_at from bare_artifacts where uid = $1 and expires_at > now()',
          [uid],
        ),
      ),
    findByUserCode: () => Promise.resolve(undefined),
    consume: async (/** @type {string} */ id) => {
      await query('consume', 'update bare_artifacts set consumed_at = now() where id = $1', [keyOf(id)]);
    },
    destroy: async (/** @type {string} */ id) => {
      await query('destroy', 'delete from bare_artifacts where id = $1', [keyOf(id)]);
    },
    revokeByGrantId: async (/** @type {string} */ grantId) => {
      await query('revoke', 'delete from bare_artifacts where grant_id = $1', [grantId]);
    },
  };
};

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
/** The library has no types here. @type {any} */
const { Provider } = library;
const provider = new Provider(issuer, {
  adapter: adapterOf,
  jwks: {
    keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'one', alg: 'ES256', use: 'sig' }],
  },
  clients: [
    {
      client_id: client.id,
      client_secret: client.secret,
      redirect_uris: client.redirectUris,
      grant_types: ['authorization_code', 'refresh_token'],
      id_token_signed_response_alg: 'ES256',
      scope: 'openid profile email',
    },
  ],
  claims: { profile: ['name', 'given_name', 'preferred_username'], email: ['email', 'email_verified'] },
  conformIdTokenClaims: false,
  cookies: { keys: ['bench'] },
  pkce: { required: () => true },
  // Without `offline_access`, which the library drops unless the user is asked each time.
  issueRefreshToken: (/** @type {any} */ _ctx, /** @type {any} */ one) =>
    Promise.resolve(one.grantTypeAllowed('refresh_token')),
  expiresWithSession: () => false,
  features: {
    devInteractions: { enabled: false },
    introspection: { enabled: true },
  },
  findAccount: async (/** @type {any} */ _ctx, /** @type {string} */ uid) => {
    const [user] = await query(
      'user',
      'select username, email, first_name, last_name from users where uid = $1 and disabled_at is null',
      [uid],
    );
    if (user === undefined) return undefined;
    return {
      accountId: uid,
      claims: () => ({
        sub: uid,
        name: `${user.first_name} ${user.last_name}`,
        given_name: user.first_name,
        preferred_username: user.username,
        email: user.email,
        email_verified: true,
      }),
    };
  },
  interactions: { url: (/** @type {any} */ _ctx, /** @type {any} */ { uid }) => `/interaction/${uid}` },
  loadExistingGrant: async (/** @type {any} */ { oidc }) => {
    const { session, client: one, requestParamOIDCScopes } = oidc;
    const id = session.grantIdFor(one.clientId);
    const grant =
      (id === undefined ? undefined : await provider.Grant.find(id)) ??
      new provider.Grant({ accountId: session.accountId, clientId: one.clientId });
    if (grant.getOIDCScope() !== '') return grant;
    grant.addOIDCScope([...requestParamOIDCScopes].join(' '));
    await grant.save();
    return grant;
  },
});
provider.proxy = true;

const listener = provider.callback();
createServer((request, response) => {
  // Whoever asks is signed in as the user that the load names.
  if (request.url?.startsWith('/interaction/'))
    void provider.interactionFinished(request, response, {
      login: { accountId: String(request.headers['x-user']) },
    });
  else if (request.url === '/ready') response.end();
  else listener(request, response);
}).listen(Number(process.env['PORT']), '127.0.0.1');
process.on('SIGTERM', () => process.exit());
