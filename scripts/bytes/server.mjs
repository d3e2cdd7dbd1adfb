// @ts-check
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import path from 'node:path';
import { brotliCompressSync } from 'node:zlib';

const require = createRequire(import.meta.url);

/**
 * Serves a production build on a free port, with the files, headers and configuration block of the local environment and
 * nothing else of it. Calls to the service get an answer that leads on to the next screen: they are to be counted, not to fail.
 *
 * @param {string} distFolder
 */
export async function serveBuild(distFolder) {
  if (!existsSync(path.join(distFolder, 'index.html'))) throw new Error(`No build in ${distFolder}.`);
  require('tsx/cjs');
  const { builtPage, createPageHost, environmentConfig, originOf, roleOf } = require('@vestibule/local');
  const { fillPage } = require('@vestibule/contract/page');

  /** @type {import('node:http').RequestListener} */
  let serveApp = (_request, response) => response.writeHead(503).end();
  /** What is measured besides the build, by path. @type {Map<string, { type: string, body: Buffer }>} */
  const extra = new Map();
  const server = createServer((request, response) => {
    const other = extra.get(request.url ?? '');
    const role = roleOf(request.headers.host);
    if (other) send(response, other);
    else if (role === 'app') serveApp(request, response);
    else if (role === 'ledger') send(response, application);
    else void answerCall(request, response);
  });
  const port = await listen(server);
  const config = environmentConfig(port);
  const page = await createPageHost({ config, source: builtPage(distFolder, config) });
  serveApp = (request, response) => page.routing(request, response);

  const [html = '', written = ''] = ['index.html', 'languages.json'].map((name) =>
    readFileSync(path.join(distFolder, name), 'utf8'),
  );
  const built = JSON.parse(written);
  const filled = (/** @type {readonly string[]} */ languages) =>
    fillPage(html, environmentConfig(port, { languages }), built).br.byteLength;

  const origin = originOf('app', port);
  return {
    /** What all languages add to `index.html`, bytes of brotli. */
    languages: filled(['en', ...Object.keys(built.texts)]) - filled([]),
    loginUrl: `${origin}/login`,
    applicationUrl: `${originOf('ledger', port)}/`,
    /** @param {'session' | 'setup' | undefined} as */
    cookies: (as) => {
      const { prefix } = config.cookies;
      const token = unsignedToken();
      const session = { authenticated: { token, refresh: 'refresh' } };
      if (as === undefined) return [];
      return as === 'session'
        ? [{ name: `${prefix}-session`, value: encodeURIComponent(JSON.stringify(session)) }]
        : [
            {
              name: `${prefix}-session-setup`,
              value: encodeURIComponent(JSON.stringify({ mfaToken: token })),
            },
          ];
    },
    /**
     * Serves another page, or a file of it.
     *
     * @param {string} path
     * @param {'text/html' | 'text/javascript'} type
     * @param {string} text
     * @returns {string} its address
     */
    serve: (path, type, text) => {
      extra.set(path, { type, body: brotliCompressSync(text) });
      return origin + path;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}

/**
 * Caches as the build's own host does: the page never, its files for ever.
 *
 * @param {import('node:http').ServerResponse} response
 * @param {{ type: string, body: Buffer }} file - brotli
 */
function send(response, { type, body }) {
  response.writeHead(200, {
    'Content-Type': `${type}; charset=utf-8`,
    'Content-Encoding': 'br',
    'Content-Length': String(body.byteLength),
    'Cache-Control': type === 'text/html' ? 'no-store' : 'public, max-age=31536000, immutable',
  });
  response.end(body);
}

/** Where a sign-in may lead: another host of the family. */
const application = {
  type: 'text/html',
  body: brotliCompressSync('<!doctype html><html lang="en"><title>Ledger</title><h1>Ledger</h1></html>'),
};

/** The responses of the service; any other call gets an empty one. @type {Record<string, unknown>} */
const answers = {
  'GET /auth/v1/method/ada': [{ method: 'basic' }],
  'GET /auth/v1/method/password': [{ method: 'basic' }],
  'GET /auth/v1/method/text-message': [{ method: 'basic' }],
  'POST /mfa/v1/twofactor-add': {
    code: 'JBSWY3DPEHPK3PXP',
    url: 'otpauth://totp/ada?secret=JBSWY3DPEHPK3PXP',
  },
  'GET /user-management/v1/api-users/invite/link/abc': { apiKey: 'key', apiSecret: 'secret' },
  'GET /user-management/v1/users/u': {
    data: {
      attributes: {
        email: 'ada@example.com',
        authyActive: false,
        twoFactorActive: false,
        lastReset: '2026-01-02T03:04:05Z',
      },
    },
  },
};

/**
 * The users differ in what follows their password: a code of an app, a code by text message, or nothing.
 *
 * @param {string} body
 */
function answerToken(body) {
  const { username, mfaCode } = JSON.parse(body);
  if (username === 'password' || mfaCode !== undefined) return { token: unsignedToken(), refresh: 'refresh' };
  const mfaType = username === 'text-message' ? 'authy' : 'mfa';
  return { mfaRequired: true, mfaType, authVerificationToken: 'verified' };
}

/**
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:http').ServerResponse} response
 */
async function answerCall(request, response) {
  let body = '';
  for await (const chunk of request) body += chunk;
  const call = `${request.method} ${request.url}`;
  const answer = call === 'POST /auth/v1/token' ? answerToken(body) : answers[call];
  const cors = {
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Allow-Headers': '*, Authorization',
    'Access-Control-Max-Age': '600',
  };
  response.writeHead(answer === undefined ? 204 : 200, { ...cors, 'Content-Type': 'application/json' });
  response.end(answer === undefined ? undefined : JSON.stringify(answer));
}

/** A token without a valid signature: the page only reads it. */
function unsignedToken() {
  const now = Math.floor(Date.now() / 1000);
  const claims = {
    uid: 'u',
    username: 'ada',
    method: 'basic',
    iat: now,
    exp: now + 900,
    personas: { a: [{}], b: [{}] },
  };
  const part = (/** @type {unknown} */ value) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'none' })}.${part(claims)}.`;
}

/**
 * @param {import('node:http').Server} server
 * @returns {Promise<number>} the port
 */
function listen(server) {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
}
