// @ts-check
// Better Auth with its OAuth provider, with which `npm run bench:service -- --openid` compares the service: set up as its documentation
// says, in a schema of the same database. It runs in a process of its own, with the URL of the database and its client as arguments.
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { oauthProvider } from '@better-auth/oauth-provider';
import { betterAuth } from 'better-auth';
import { getMigrations } from 'better-auth/db/migration';
import { toNodeHandler } from 'better-auth/node';
import { jwt } from 'better-auth/plugins';
import pg from 'pg';

const [, , databaseUrl, given = ''] = process.argv;
/** @type {{ issuer: string, id: string, secret: string, redirectUris: string[] }} */
const client = JSON.parse(given);
const database = new pg.Pool({
  connectionString: databaseUrl,
  max: 10,
  options: '-c search_path=better_auth',
});
await database.query('create schema if not exists better_auth');

/** Counted as in production, and never reached, as with the service. */
const unreached = { window: 60, max: 1_000_000 };
/** Its types do not fit those of its own plugin where optional properties are exact. @type {any} */
const options = {
  baseURL: client.issuer,
  secret: randomBytes(32).toString('base64'),
  database,
  emailAndPassword: { enabled: true },
  rateLimit: { enabled: true, ...unreached, customRules: { '/sign-up/*': unreached } },
  disabledPaths: ['/token'],
  plugins: [
    // As the service and the bare library sign.
    jwt({ jwks: { keyPairConfig: { alg: 'ES256' } } }),
    oauthProvider({
      loginPage: '/login',
      consentPage: '/consent',
      cachedTrustedClients: new Set([client.id]),
      generateClientId: () => client.id,
      generateClientSecret: () => client.secret,
      rateLimit: { token: unreached, authorize: unreached, introspect: unreached },
    }),
  ],
};
await (await getMigrations(options)).runMigrations();
/** @type {any} */
const auth = betterAuth(options);

const operator = { name: 'Operator', email: 'operator@bench.example', password: client.secret };
const { headers } = await auth.api.signUpEmail({ body: operator, returnHeaders: true });
await auth.api.adminCreateOAuthClient({
  headers: new Headers({ Cookie: headers.getSetCookie().join('; ') }),
  body: {
    redirect_uris: client.redirectUris,
    grant_types: ['authorization_code', 'refresh_token'],
    skip_consent: true,
  },
});

const listener = toNodeHandler(auth);
createServer((request, response) => {
  if (request.url === '/ready') response.end();
  else void listener(request, response);
}).listen(Number(process.env['PORT']), '127.0.0.1');
process.on('SIGTERM', () => process.exit());
