#!/usr/bin/env node
// @ts-check
// Firefox as Playwright expects it: starts the system's and passes WebDriver BiDi through. Playwright sends one command at the start of every
// context that Firefox ESR does not know yet, and takes the refusal for a failure; this answers it. A test may send commands of its own
// through the socket that `FIREFOX_BESIDE` names, a line of JSON each and its answer: Firefox has one session, and that is Playwright's.
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { WebSocket, WebSocketServer } from 'ws';
import { findFirefox } from '../../../scripts/setup/programs.mjs';

/** The command emulates a colour scheme, which no journey needs in Firefox. */
const answeredHere = 'emulation.setMediaFeaturesOverride';

const browser = spawn(findFirefox() ?? 'firefox', process.argv.slice(2), {
  stdio: ['ignore', 'inherit', 'pipe'],
});
const stop = () => browser.kill();
process.once('SIGTERM', stop).once('SIGINT', stop);
browser.once('error', (error) => {
  console.error(error.message);
  process.exit(1);
});
browser.once('exit', (code) => process.exit(code ?? 1));

createInterface(browser.stderr).on('line', (line) => {
  const address = /^WebDriver BiDi listening on (ws:.*)$/.exec(line)?.[1];
  if (address === undefined) console.error(line);
  else passOn(address);
});

/** @param {string} address */
function passOn(address) {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  server.once('listening', () => {
    const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
    // Playwright reads the address from this line.
    console.error(`WebDriver BiDi listening on ws://127.0.0.1:${port}`);
  });
  server.on('connection', (client, { url = '' }) => {
    const firefox = new WebSocket(address + url);
    const isAnswerBeside = listenBeside(firefox);
    const opened = new Promise((resolve) => firefox.once('open', resolve));
    client.on('message', async (data) => {
      const { id, method } = JSON.parse(String(data));
      await opened;
      if (method === answeredHere) client.send(JSON.stringify({ type: 'success', id, result: {} }));
      else firefox.send(String(data));
    });
    firefox.on('message', (data) => {
      if (!isAnswerBeside(String(data))) client.send(String(data));
    });
    firefox.once('close', () => client.close()).once('error', () => client.close());
    client.once('close', () => firefox.close());
  });
}

/** Beyond those that Playwright counts. */
let nextId = 2 ** 40;

/**
 * @param {WebSocket} firefox
 * @returns {(message: string) => boolean} passes an answer on, and says whether it was one
 */
function listenBeside(firefox) {
  const path = process.env['FIREFOX_BESIDE'];
  /** @type {Map<number, import('node:net').Socket>} */
  const askers = new Map();
  if (path !== undefined) {
    createServer((socket) => {
      createInterface(socket).on('line', (line) => {
        nextId += 1;
        askers.set(nextId, socket);
        firefox.send(JSON.stringify({ ...JSON.parse(line), id: nextId }));
      });
    }).listen(path);
  }
  return (message) => {
    const { id } = JSON.parse(message);
    const asker = askers.get(id);
    asker?.write(`${message}\n`);
    return askers.delete(id);
  };
}
