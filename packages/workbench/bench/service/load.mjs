// @ts-check
// The calls of people who sign in, stay signed in, and use an application; as many as the service takes, or at a given rate.
// No load generator of npm keeps the state that a rotated refresh token is: each call depends on the answer to the one before.
import { once } from 'node:events';
import http from 'node:http';
import { json } from 'node:stream/consumers';
import { createHistogram } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { password, usernameOf } from './deployment.mjs';

/**
 * @typedef {object} Person
 * @property {string} username
 * @property {string} address - each has one, so that limits and queue see many clients
 * @property {string} token
 * @property {string} refresh
 * @property {string} uid
 */

/** @typedef {(person: Person, send: Send) => Promise<void>} Operation */

/** @typedef {(call: { method: string, path: string, body?: object, bearer?: string }) => Promise<any>} Send */

/** What is measured. @type {Readonly<Record<'signIn' | 'refresh' | 'methods' | 'user' | 'live', Operation>>} */
export const operations = {
  signIn: async (person, send) => {
    const body = { username: person.username, method: 'basic', password };
    keep(person, await send({ method: 'POST', path: '/auth/v1/token', body }));
  },
  refresh: async (person, send) => {
    keep(person, await send({ method: 'POST', path: '/auth/v1/refresh', body: { refresh: person.refresh } }));
  },
  methods: async ({ username }, send) => {
    await send({ method: 'GET', path: `/auth/v1/method/${encodeURIComponent(username)}` });
  },
  user: async ({ uid, token }, send) => {
    await send({ method: 'GET', path: `/user-management/v1/users/${uid}`, bearer: token });
  },
  // No query and no body: the cost of any response.
  live: async (_person, send) => {
    await send({ method: 'GET', path: '/live' });
  },
};

/** @param {Person} person @param {{ token: string, refresh: string }} session */
function keep(person, { token, refresh }) {
  const [, claims = ''] = token.split('.');
  Object.assign(person, { token, refresh, ...JSON.parse(Buffer.from(claims, 'base64url').toString()) });
}

/** @param {number} count @returns {Person[]} not signed in. */
export function peopleOf(count) {
  return Array.from({ length: count }, (_none, index) => ({
    username: usernameOf(index),
    address: `10.0.${index >> 8}.${index & 255}`,
    token: '',
    refresh: '',
    uid: '',
  }));
}

/** @typedef {ReturnType<typeof createClients>} Clients */

/**
 * People who call the processes of the service in turn, each of them one call at a time.
 *
 * @param {readonly Person[]} people
 * @param {readonly import('./deployment.mjs').ServiceNode[]} nodes
 */
export function createClients(people, nodes) {
  const agent = new http.Agent({ keepAlive: true, maxFreeSockets: 256 });
  const idle = [...people];
  /** @type {((person: Person) => void)[]} */
  const waiting = [];
  let calls = 0;

  /** @param {Operation} operation */
  const carryOut = async (operation) => {
    /** @type {Person} */
    const person = idle.shift() ?? (await new Promise((resolve) => waiting.push(resolve)));
    const node = nodes[calls++ % nodes.length];
    await operation(person, (call) => send(agent, node?.url ?? '', person, call));
    const next = waiting.shift();
    if (next === undefined) idle.push(person);
    else next(person);
  };

  /** @param {Operation} operation @param {number} atOnce @param {() => boolean} isWanted - one more */
  const callOn = async (operation, atOnce, isWanted) => {
    const caller = async () => {
      while (isWanted()) await carryOut(operation);
    };
    await Promise.all(Array.from({ length: atOnce }, caller));
  };

  return {
    /** So many calls; with as many as there are people, each of them calls once. @param {Operation} operation @param {{ atOnce: number, count: number }} load */
    repeat: async (operation, { atOnce, count }) => {
      let left = count;
      await callOn(operation, atOnce, () => left-- > 0);
    },
    /**
     * Makes calls one after another in each of `atOnce` loops.
     *
     * @param {Operation} operation
     * @param {{ atOnce: number, seconds: number }} load
     */
    saturate: async (operation, { atOnce, seconds }) => {
      const [before, begin] = [calls, performance.now()];
      await callOn(operation, atOnce, () => performance.now() < begin + seconds * 1000);
      return { count: calls - before, seconds: (performance.now() - begin) / 1000 };
    },
    /**
     * Independent people: calls come at random times, also while others wait.
     *
     * @param {Operation} operation
     * @param {{ perSecond: number, seconds: number }} load
     * @returns the 50th and 99th percentile of the times to the answer, in milliseconds, and their number.
     */
    arrive: async (operation, { perSecond, seconds }) => {
      const times = createHistogram();
      const underWay = [];
      let at = performance.now();
      const end = at + seconds * 1000;
      while (at < end) {
        at += (-Math.log(1 - Math.random()) / perSecond) * 1000;
        if (at > performance.now()) await pause(at - performance.now());
        const begin = performance.now();
        underWay.push(
          carryOut(operation).then(() => {
            times.record(Math.max(1, Math.round((performance.now() - begin) * 1000)));
          }),
        );
      }
      await Promise.all(underWay);
      return { p50: times.percentile(50) / 1000, p99: times.percentile(99) / 1000, count: times.count };
    },
    leave: () => {
      agent.destroy();
    },
  };
}

/**
 * @param {http.Agent} agent
 * @param {string} url
 * @param {Person} person
 * @param {Parameters<Send>[0]} call
 * @returns {Promise<any>} the answer's JSON. Anything but 200 ends the bench: the rate of refusals is of no use.
 */
async function send(agent, url, { address }, { method, path, body, bearer }) {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const request = http.request(`${url}${path}`, {
    agent,
    method,
    headers: {
      'X-Forwarded-For': address,
      'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
      Origin: 'http://login.localhost',
      ...(text === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': text.length }),
      ...(bearer === undefined ? {} : { Authorization: `Bearer ${bearer}` }),
    },
  });
  request.end(text);
  const [response] = /** @type {[http.IncomingMessage]} */ (await once(request, 'response'));
  const answer = await json(response);
  if (response.statusCode !== 200)
    throw new Error(`${method} ${path} was answered ${response.statusCode}: ${JSON.stringify(answer)}`);
  return answer;
}
