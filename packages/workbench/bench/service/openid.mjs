// @ts-check
// OpenID Connect: what a processor of the service carries, beside the bare library on the same database. The two take turns in short
// rounds, so that other load of the machine slows both; the ratios are of one round each.
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import { text } from 'node:stream/consumers';
import { processorSeconds } from './deployment.mjs';

const issuer = 'http://api.localhost';
const clientSecret = 'secret-of-the-reports-application-0123456789';
/** As a deployment registers it. */
const client = {
  id: 'reports',
  name: 'Reports',
  redirectUris: ['https://reports.example.com/callback'],
  scopes: ['profile', 'email', 'offline_access'],
  secretHash: `sha256:${createHash('sha256').update(clientSecret).digest('hex')}`,
};
const cookiePrefix = 'bench';

/** The same for the library. */
export const libraryClient = {
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
/** @typedef {{ readonly perSecond: number, readonly perProcessorSecond: number, readonly databaseMs: number }} Figures */

/** @typedef {object} Side
 * @property {import('./deployment.mjs').ServiceNode} node
 * @property {string} auth - the path of the authorization endpoint
 * @property {string} token
 * @property {string} introspection
 * @property {string} scope
 * @property {string | null} resource - makes the access token a JWT; `null`: it is one anyway
 */

/** @type {Omit<Side, 'node'>} */
const ofService = {
  auth: '/oidc/auth',
  token: '/oidc/token',
  introspection: '/oidc/introspection',
  scope: 'openid profile email offline_access',
  resource: null,
};
/** @type {Omit<Side, 'node'>} */
const ofLibrary = {
  auth: '/auth',
  token: '/token',
  introspection: '/token/introspection',
  scope: 'openid profile email',
  resource: 'https://reports.example.com',
};

const verifier = randomBytes(32).toString('base64url');
const challenge = createHash('sha256').update(verifier).digest('base64url');
const [redirectUri = ''] = client.redirectUris;

/** The browsers of some people, and their application. @param {Side} side @param {readonly import('./load.mjs').Person[]} people */
function createApplication({ node, auth, token, introspection, scope, resource }, people) {
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

  /** @param {import('./load.mjs').Person} person @param {string | null} audience */
  const authorize = async (person, audience = resource) => {
    const query = new URLSearchParams({
      client_id: client.id,
      response_type: 'code',
      redirect_uri: redirectUri,
      scope,
      ...(audience === null ? {} : { resource: audience }),
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
 * @param {{ readonly service: import('./deployment.mjs').ServiceNode, readonly library: import('./deployment.mjs').ServiceNode }} nodes
 * @param {readonly import('./load.mjs').Person[]} people - signed in
 * @returns the rounds of each.
 */
export async function measureOpenId(deployment, { service, library }, people) {
  const sides = await Promise.all(
    [
      { ...ofService, node: service },
      { ...ofLibrary, node: library },
    ].map(async (side) => {
      const application = createApplication(side, people);
      const tokens = [];
      // The library introspects opaque tokens only.
      for (const person of people)
        tokens.push(
          (await application.exchange(person, await application.authorize(person, null))).access_token,
        );
      return { side, application, tokens, rounds: /** @type {Round[]} */ ([]) };
    }),
  );
  try {
    for (const one of sides) await carryOutRound(deployment, one, people, warmUp);
    for (let round = 0; round < rounds; round += 1) {
      for (const one of round % 2 === 0 ? sides : sides.toReversed())
        one.rounds.push(await carryOutRound(deployment, one, people, perRound));
      process.stdout.write('.');
    }
    const [ours, theirs] = sides.map((one) => one.rounds);
    return { service: ours ?? [], library: theirs ?? [] };
  } finally {
    for (const { application } of sides) application.leave();
  }
}

/**
 * The codes of the authorizations are exchanged, and the refresh tokens that they give used.
 *
 * @param {import('./deployment.mjs').TestDeployment} deployment
 * @param {{ side: Side, application: ReturnType<typeof createApplication>, tokens: readonly string[] }} one
 * @param {readonly import('./load.mjs').Person[]} people
 * @param {number} count
 * @returns {Promise<Round>}
 */
async function carryOutRound(deployment, { side, application, tokens }, people, count) {
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
    const used = () => [
      performance.now() / 1000,
      processorSeconds(side.node.pid),
      deployment.databaseSeconds(),
    ];
    const before = used();
    await Promise.all(Array.from({ length: atOnce }, caller));
    const [seconds = 0, processor = 0, database = 0] = used().map(
      (value, index) => value - (before[index] ?? 0),
    );
    const figures = {
      perSecond: count / seconds,
      perProcessorSecond: count / processor,
      databaseMs: (database / count) * 1000,
    };
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

/** @param {Awaited<ReturnType<typeof measureOpenId>>} measured @returns the rows of a table: medians, and the ratio with its least and most. */
export function openIdRows({ service, library }) {
  const heading = [
    '',
    ...['library', 'service'].map((who) => `a processor second, ${who}`),
    'ratio',
    'ratio, a second',
    ...['library', 'service'].map((who) => `database, ms each, ${who}`),
  ];
  const rows = names.map((name) => {
    /** @param {readonly Round[]} of @param {keyof Figures} figure */
    const medianOf = (of, figure) => median(of.map((round) => round[name][figure]));
    /** @param {keyof Figures} figure */
    const ratios = (figure) =>
      service.map((round, index) => round[name][figure] / (library[index]?.[name][figure] ?? Number.NaN));
    const own = ratios('perProcessorSecond');
    return [
      titles[name],
      ...[library, service].map((of) => medianOf(of, 'perProcessorSecond').toFixed(0)),
      `${median(own).toFixed(2)} (${Math.min(...own).toFixed(2)}–${Math.max(...own).toFixed(2)})`,
      median(ratios('perSecond')).toFixed(2),
      ...[library, service].map((of) => medianOf(of, 'databaseMs').toFixed(2)),
    ];
  });
  return [heading, ...rows];
}

/** @param {readonly number[]} values */
const median = (values) =>
  [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
