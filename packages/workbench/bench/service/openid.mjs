// @ts-check
// OpenID Connect: what a processor of the service carries, beside the bare library and Better Auth on the same database. They take turns in
// short rounds, so that other load of the machine slows all; the ratios are of one round each.
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import { text } from 'node:stream/consumers';
import { password, peakMegabytes, processorSeconds, residentMegabytes } from './deployment.mjs';

const issuer = 'http://api.localhost';
const clientSecret = 'secret-of-the-reports-application-0123456789';
/** As a deployment registers it. */
const client = {
  id: 'reports',
  name: 'Reports',
  redirectUris: ['https://reports.example.com/callback'],
  scopes: ['profile', 'email', 'offline_access'],
  secretHash: `sha256:${createHash('sha256').update(clientSecret).digest('hex')}`,
  idTokenAlgorithm: 'ES256',
};
const cookiePrefix = 'bench';

/** The same for the others. */
export const peerClient = {
  issuer,
  id: client.id,
  secret: clientSecret,
  redirectUris: client.redirectUris,
};

/** The variables of a service with the client. */
export const openIdEnvironment = {
  OPENID_COOKIE_PREFIX: cookiePrefix,
  OPENID_COOKIE_DOMAIN: 'localhost',
  CLIENTS: JSON.stringify([client]),
};

const names = /** @type {const} */ (['authorization', 'exchange', 'refresh', 'introspection']);
/** Calls at once; calls of each kind before the measure and in each round; rounds. */
const [atOnce, warmUp, perRound, rounds] = [16, 4000, 400, 9];

/** @typedef {typeof names[number]} Name */
/** @typedef {Readonly<Record<Name, Figures>>} Round */
/** @typedef {{ readonly perProcessorSecond: number, readonly databaseMs: number }} Figures */
/** @typedef {{ readonly title: string, readonly rounds: readonly Round[], readonly memory: string }} Measured */

/** @typedef {object} Side
 * @property {string} title
 * @property {string} auth - the path of the authorization endpoint
 * @property {string} token
 * @property {string} introspection
 * @property {string} scope
 * @property {string} [signUp] - makes an account and its session; absent: the cookie of the family or the name of the user does
 */

/** All give opaque access tokens and a signed ID token. @type {Readonly<Record<'service' | 'library' | 'betterAuth', Side>>} */
const sides = {
  service: {
    title: 'service',
    auth: '/oidc/auth',
    token: '/oidc/token',
    introspection: '/oidc/introspection',
    scope: 'openid profile email offline_access',
  },
  library: {
    title: 'library',
    auth: '/auth',
    token: '/token',
    introspection: '/token/introspection',
    scope: 'openid profile email',
  },
  betterAuth: {
    title: 'Better Auth',
    auth: '/api/auth/oauth2/authorize',
    token: '/api/auth/oauth2/token',
    introspection: '/api/auth/oauth2/introspect',
    scope: 'openid profile email offline_access',
    signUp: '/api/auth/sign-up/email',
  },
};

const verifier = randomBytes(32).toString('base64url');
const challenge = createHash('sha256').update(verifier).digest('base64url');
const [redirectUri = ''] = client.redirectUris;

/**
 * The browsers of some people, and their application.
 *
 * @param {Side} side
 * @param {import('./deployment.mjs').ServiceNode} node
 * @param {readonly import('./load.mjs').Person[]} people
 */
function createApplication({ auth, token, introspection, scope, signUp }, node, people) {
  const agent = new http.Agent({ keepAlive: true, maxFreeSockets: 256 });
  /** @type {Map<string, Map<string, string>>} */
  const jars = new Map(
    people.map((person) => [
      person.username,
      new Map([
        [
          `${cookiePrefix}-session`,
          encodeURIComponent(
            JSON.stringify({ authenticated: { token: person.token, refresh: person.refresh } }),
          ),
        ],
      ]),
    ]),
  );

  /** @param {import('./load.mjs').Person} person @param {string} path @param {Readonly<Record<string, string>>} [form] */
  const call = async (person, path, form) => {
    const jar = jars.get(person.username) ?? new Map();
    const body = form === undefined ? undefined : new URLSearchParams(form).toString();
    const own =
      body === undefined
        ? { Cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '), 'X-User': person.uid }
        : {
            'Content-Type': 'application/x-www-form-urlencoded',
            'Content-Length': Buffer.byteLength(body),
            Authorization: `Basic ${Buffer.from(`${client.id}:${clientSecret}`).toString('base64')}`,
          };
    const request = http.request(`${node.url}${path}`, {
      agent,
      method: body === undefined ? 'GET' : 'POST',
      headers: { Host: new URL(issuer).host, 'X-Forwarded-For': person.address, ...own },
    });
    request.end(body);
    const [response] = /** @type {[http.IncomingMessage]} */ (await once(request, 'response'));
    const content = await text(response);
    if ((response.statusCode ?? 500) >= 400)
      throw new Error(`${path} was answered ${response.statusCode}: ${content}`);
    for (const cookie of response.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (value === '') jar.delete(name);
      else jar.set(name, value);
    }
    return { location: response.headers.location ?? '', content };
  };

  /** @param {import('./load.mjs').Person} person */
  const authorize = async (person) => {
    const query = new URLSearchParams({
      client_id: client.id,
      response_type: 'code',
      redirect_uri: redirectUri,
      scope,
      state: 'state-1',
      nonce: 'nonce-1',
      code_challenge: challenge,
      code_challenge_method: 'S256',
    });
    let { location } = await call(person, `${auth}?${query.toString()}`);
    while (!location.startsWith(redirectUri)) {
      const { pathname, search } = new URL(location, issuer);
      ({ location } = await call(person, `${pathname}${search}`));
    }
    const code = new URL(location).searchParams.get('code');
    if (code === null) throw new Error(`There is no code in ${location}`);
    return code;
  };

  /** @param {import('./load.mjs').Person} person @param {Readonly<Record<string, string>>} form */
  const ask = async (person, form) => JSON.parse((await call(person, token, form)).content);
  /** @param {import('./load.mjs').Person} person @param {string} code */
  const exchange = (person, code) =>
    ask(person, {
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      code_verifier: verifier,
    });

  return {
    authorize,
    exchange,
    /** @param {import('./load.mjs').Person} person */
    signUp: async (person) => {
      const { username } = person;
      if (signUp !== undefined) await call(person, signUp, { name: username, email: username, password });
    },
    /** @param {import('./load.mjs').Person} person @param {string} refresh */
    refresh: (person, refresh) => ask(person, { grant_type: 'refresh_token', refresh_token: refresh }),
    /** @param {import('./load.mjs').Person} person @param {string} access */
    introspect: async (person, access) => {
      const { active } = JSON.parse((await call(person, introspection, { token: access })).content);
      if (active !== true) throw new Error('A live token is not active.');
    },
    leave: () => {
      agent.destroy();
    },
  };
}

/**
 * @param {import('./deployment.mjs').TestDeployment} deployment
 * @param {Readonly<Record<keyof typeof sides, import('./deployment.mjs').ServiceNode>>} nodes
 * @param {readonly import('./load.mjs').Person[]} people - signed in
 * @returns {Promise<Measured[]>} in the order of `sides`.
 */
export async function measureOpenId(deployment, nodes, people) {
  const measured = await Promise.all(
    /** @type {(keyof typeof sides)[]} */ (Object.keys(sides)).map(async (name) => {
      const application = createApplication(sides[name], nodes[name], people);
      const tokens = [];
      for (const person of people) {
        await application.signUp(person);
        tokens.push((await application.exchange(person, await application.authorize(person))).access_token);
      }
      return {
        side: sides[name],
        node: nodes[name],
        application,
        tokens,
        rounds: /** @type {Round[]} */ ([]),
      };
    }),
  );
  try {
    // In rounds too: a code of the service lives for a minute.
    for (let warm = 0; warm < warmUp; warm += perRound)
      for (const one of measured) await carryOutRound(deployment, one, people, perRound);
    for (let round = 0; round < rounds; round += 1) {
      const first = round % measured.length;
      for (const one of [...measured.slice(first), ...measured.slice(0, first)])
        one.rounds.push(await carryOutRound(deployment, one, people, perRound));
      process.stdout.write('.');
    }
    return measured.map(({ side: { title }, node: { pid }, rounds: own }) => ({
      title,
      rounds: own,
      memory: `${residentMegabytes(pid).toFixed(0)} (${peakMegabytes(pid).toFixed(0)})`,
    }));
  } finally {
    for (const { application } of measured) application.leave();
  }
}

/**
 * The codes of the authorizations are exchanged, and the refresh tokens that they give used.
 *
 * @param {import('./deployment.mjs').TestDeployment} deployment
 * @param {{ node: import('./deployment.mjs').ServiceNode, application: ReturnType<typeof createApplication>, tokens: readonly string[] }} one
 * @param {readonly import('./load.mjs').Person[]} people
 * @param {number} count
 * @returns {Promise<Round>}
 */
async function carryOutRound(deployment, { node, application, tokens }, people, count) {
  /** @template Result @param {(person: import('./load.mjs').Person, index: number) => Promise<Result>} operation */
  const measure = async (operation) => {
    /** @type {Result[]} */
    const results = [];
    let next = 0;
    const caller = async () => {
      while (next < count) {
        const index = next++;
        const person = people[index % people.length];
        if (person !== undefined) results[index] = await operation(person, index);
      }
    };
    const used = () => [processorSeconds(node.pid), deployment.databaseSeconds()];
    const before = used();
    await Promise.all(Array.from({ length: atOnce }, caller));
    const [processor = 0, database = 0] = used().map((value, index) => value - (before[index] ?? 0));
    const figures = { perProcessorSecond: count / processor, databaseMs: (database / count) * 1000 };
    return { results, figures };
  };
  const authorization = await measure((person) => application.authorize(person));
  const exchange = await measure((person, index) =>
    application.exchange(person, authorization.results[index] ?? ''),
  );
  const refresh = await measure((person, index) =>
    application.refresh(person, exchange.results[index].refresh_token),
  );
  const introspection = await measure((person, index) =>
    application.introspect(person, tokens[index % tokens.length] ?? ''),
  );
  return {
    authorization: authorization.figures,
    exchange: exchange.figures,
    refresh: refresh.figures,
    introspection: introspection.figures,
  };
}

const titles = {
  authorization: 'authorization with a session',
  exchange: 'code exchange',
  refresh: 'refresh',
  introspection: 'introspection',
};

/** @param {readonly Measured[]} measured - the service first @returns the rows of a table: medians, and ratios with their least and most. */
export function openIdRows(measured) {
  const [service, ...peers] = measured;
  if (service === undefined) return [];
  const heading = [
    '',
    ...measured.map(({ title }) => `a processor second, ${title}`),
    ...peers.map(({ title }) => `beside ${title}`),
    ...measured.map(({ title }) => `database, ms each, ${title}`),
  ];
  const rows = names.map((name) => {
    /** @param {Measured} one @param {keyof Figures} figure */
    const valuesOf = ({ rounds: own }, figure) => own.map((round) => round[name][figure]);
    const own = valuesOf(service, 'perProcessorSecond');
    return [
      titles[name],
      ...measured.map((one) => median(valuesOf(one, 'perProcessorSecond')).toFixed(0)),
      ...peers.map((peer) => {
        const theirs = valuesOf(peer, 'perProcessorSecond');
        const ratios = own.map((value, round) => value / (theirs[round] ?? Number.NaN));
        return `${median(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)})`;
      }),
      ...measured.map((one) => median(valuesOf(one, 'databaseMs')).toFixed(2)),
    ];
  });
  return [
    heading,
    ...rows,
    ['resident memory, MB (at its highest)', ...measured.map(({ memory }) => memory)],
  ];
}

/** @param {readonly number[]} values */
const median = (values) =>
  [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
