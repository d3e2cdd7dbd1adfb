// @ts-check
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import path from 'node:path';
import { brotliCompressSync } from 'node:zlib';

const require = createRequire(import.meta.url);
const staticFormPath = '/bench/static-form';

/**
 * Serves a production build on a free port, with the files, headers and configuration block of the local world and
 * nothing else of it. Calls to the service get an empty answer: they are to be counted, not to fail.
 *
 * @param {string} distFolder
 */
export async function serveBuild(distFolder) {
  if (!existsSync(path.join(distFolder, 'index.html'))) throw new Error(`No build in ${distFolder}.`);
  require('tsx/cjs');
  const { appHost, builtApp, worldHeaders } = require('../../local/app/appHost.ts');
  const { roleOf, originOf } = require('../../local/hosts.ts');
  const { worldConfig } = require('../../local/worldConfig.ts');

  /** @type {import('node:http').RequestListener} */
  let serveApp = (_request, response) => void response.writeHead(503).end();
  let staticForm = Buffer.alloc(0);
  const server = createServer((request, response) => {
    if (request.url === staticFormPath) sendStaticForm(response, staticForm);
    else if (roleOf(request.headers.host) === 'app') serveApp(request, response);
    else sendNothing(response);
  });
  const port = await listen(server);
  const config = worldConfig(port);
  serveApp = appHost(
    builtApp(distFolder, config),
    worldHeaders(config, port, { hotReload: false, anyParent: false }),
  );

  const origin = originOf('app', port);
  return {
    loginUrl: `${origin}/login`,
    staticFormUrl: `${origin}${staticFormPath}`,
    /** @param {string} html */
    setStaticForm: (html) => {
      staticForm = brotliCompressSync(html);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}

/**
 * @param {import('node:http').ServerResponse} response
 * @param {Buffer} body - brotli
 */
function sendStaticForm(response, body) {
  response.writeHead(200, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Encoding': 'br',
    'Content-Length': String(body.byteLength),
    'Cache-Control': 'no-store',
  });
  response.end(body);
}

/** @param {import('node:http').ServerResponse} response */
function sendNothing(response) {
  response.writeHead(204, { 'Access-Control-Allow-Origin': '*', 'Access-Control-Allow-Headers': '*' });
  response.end();
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
