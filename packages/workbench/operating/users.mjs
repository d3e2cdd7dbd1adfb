// @ts-check
import { setTimeout as pause } from 'node:timers/promises';

/**
 * Runs in the machine: signs in and opens the page with all files that it names. With `LINK`, activates the account first; with `EVERY`,
 * begins another sign-in in that many milliseconds until the file `over` exists, refreshes the first three sessions all the time, and signs
 * out of the others; with `FORWARDED`, says that it comes from this address; with `KEEP`, keeps the connection for the next sign-in. Who
 * fails tries again after a second.
 */
const program = `
import { existsSync } from 'node:fs';
import { connect } from 'node:http2';
import { setTimeout as pause } from 'node:timers/promises';
const { LINK = '', EVERY = '', FORWARDED = '', KEEP = '' } = process.env;
const call = async (path, body) => {
  const response = await fetch('https://api.example.com' + path, {
    method: 'POST', body: JSON.stringify(body),
    headers: {
      'Content-Type': 'application/json', Origin: 'https://login.example.com',
      Connection: KEEP === '' ? 'close' : 'keep-alive',
      ...(FORWARDED === '' ? {} : { 'X-Forwarded-For': FORWARDED }),
    },
  });
  if (!response.ok) throw new Error(path + ' responds with ' + response.status + ' ' + (await response.text()));
  return response.status === 200 ? response.json() : {};
};
const serials = new Set();
// By HTTP/2, on a connection of its own, so that a balancer may choose another process.
const get = (path, accept) => new Promise((resolve, reject) => {
  const session = connect('https://login.example.com').once('error', reject);
  const request = session.request({ ':path': path, accept }).once('error', reject);
  request.once('response', ({ ':status': status }) => {
    serials.add(session.socket.getPeerCertificate().serialNumber);
    let text = '';
    request.setEncoding('utf8').on('data', (chunk) => (text += chunk)).once('close', () => {
      session.close();
      if (status === 200) resolve(text);
      else reject(new Error(path + ' responds with ' + status));
    });
  });
});
const open = async () => {
  const page = await get('/login', 'text/html');
  const files = [...page.matchAll(/(?:src|href)="?([/]assets[/][^" >]+)/g)].map(([, file]) => file);
  if (files.length === 0) throw new Error('/login names no file');
  await Promise.all(files.map((file) => get(file, '*/*')));
};
const password = 'Front-door7';
const form = { password, confirm: password, hash: LINK.split('/').pop(), method: 'basic', firstName: 'Ada', lastName: 'Lovelace' };
if (LINK !== '') await call('/password-reset/v1/activate', form);
const signIn = async () => {
  const tokens = await call('/auth/v1/token', { username: 'ada@example.com', method: 'basic', password });
  await open();
  return tokens;
};
const [failures, all] = [[], []];
let [longest, refreshes] = [0, 0];
const twice = async (work) => {
  const begun = performance.now();
  try {
    return await work().catch((error) => {
      failures.push(error.cause?.code ?? error.code ?? error.message);
      return pause(1000).then(work);
    });
  } finally {
    longest = Math.max(longest, performance.now() - begun);
  }
};
const isOver = () => EVERY === '' || existsSync('over');
const stay = async ({ refresh }) => {
  for (let last = false; !last; await pause(Number(EVERY))) {
    last = isOver();
    ({ refresh } = await twice(() => call('/auth/v1/refresh', { refresh })));
    refreshes += 1;
  }
};
// More than a hundred sessions of one user would end the oldest.
const signOut = ({ refresh }) => twice(() => call('/auth/v1/revoke', { refresh }));
do {
  const signedIn = twice(signIn);
  all.push(signedIn.then(all.length < 3 ? stay : signOut));
  all.at(-1).catch(() => undefined);
  await pause(Number(EVERY));
} while (!isOver());
await Promise.all(all);
console.log(JSON.stringify({ count: all.length, refreshes, failures, longest: Math.round(longest), serials: [...serials] }));
`;

/** @typedef {{ count: number, refreshes: number, failures: readonly string[], longest: number, serials: readonly string[] }} SignIns */
/** @typedef {{ readonly run: (script: string, environment?: readonly string[], network?: string) => string }} Machine */

/** Where the machine has the certificate of its authority. */
export const authority = '/etc/vestibule/authority.pem';
const node = 'node --input-type=module -e "$CODE"';
/** @param {Readonly<Record<string, string>>} variables */
const environment = (variables) =>
  Object.entries({ NODE_EXTRA_CA_CERTS: authority, CODE: program, ...variables }).map(
    ([name, value]) => `${name}=${value}`,
  );

/** Signs in once. @param {Machine} machine @param {string} [link] of an invitation */
export function signIn(machine, link = '') {
  const { failures } = JSON.parse(machine.run(node, environment({ LINK: link })));
  if (failures.length > 0) throw new Error(`A sign-in failed: ${failures.join(', ')}`);
}

/** @param {Machine} machine */
export function isRefused(machine) {
  try {
    signIn(machine);
    return false;
  } catch {
    return true;
  }
}

/**
 * Signs in again and again, and refreshes sessions, while work goes on, and prints how it went.
 *
 * @param {Machine} machine
 * @param {() => unknown} work
 * @param {{ every?: number, mayFail?: boolean, forwarded?: string, network?: string }} [options] `mayFail`: a sign-in may fail
 *   once. Users then keep their connections, which a killed process ends, and browsers repeat such a request. `network`: the process whose network the users have
 * @returns {Promise<SignIns>}
 */
export async function whileSigningIn(machine, work, options = {}) {
  const { every = 1000, mayFail = false, forwarded = '', network } = options;
  const variables = environment({ EVERY: String(every), FORWARDED: forwarded, KEEP: mayFail ? '1' : '' });
  machine.run(`rm -f over\n${node} > signed-in 2>&1 &\necho $! > users`, variables, network);
  await pause(2000);
  try {
    await work();
    await pause(2000);
  } finally {
    machine.run('touch over\ntail --pid="$(cat users)" -f /dev/null');
  }
  const printed = machine.run('cat signed-in');
  if (!printed.startsWith('{')) throw new Error(`A sign-in or a refresh failed twice: ${printed}`);
  /** @type {SignIns} */
  const signIns = JSON.parse(printed);
  const { count, refreshes, failures, longest } = signIns;
  const failed = failures.length === 0 ? 'none failed' : `failed, then succeeded: ${failures.join(', ')}`;
  if (count < 3 || (failures.length > 0 && !mayFail)) throw new Error(`${count} sign-ins, ${failed}`);
  console.log(
    `  ${count} sign-ins and ${refreshes} refreshes meanwhile, ${failed}; the longest took ${longest} ms`,
  );
  return signIns;
}
