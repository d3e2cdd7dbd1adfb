#!/usr/bin/env node
// @ts-check
// Firefox as Playwright expects it: starts Debian's and passes WebDriver BiDi through. Playwright sends one command at the start of every
// context that Firefox ESR does not know yet, and takes the refusal for a failure; this answers it.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { WebSocket, WebSocketServer } from 'ws';

/** It would emulate a colour scheme, which no journey does in Firefox. */
const answeredHere = 'emulation.setMediaFeaturesOverride';

const browser = spawn(process.env['FIREFOX_PATH'] ?? '/usr/bin/firefox-esr', process.argv.slice(2), {
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
    const opened = new Promise((resolve) => firefox.once('open', resolve));
    client.on('message', async (data) => {
      const { id, method } = JSON.parse(String(data));
      await opened;
      if (method === answeredHere) client.send(JSON.stringify({ type: 'success', id, result: {} }));
      else firefox.send(String(data));
    });
    firefox.on('message', (data) => client.send(String(data)));
    firefox.once('close', () => client.close()).once('error', () => client.close());
    client.once('close', () => firefox.close());
  });
}
