// @ts-check
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { WebSocket } from 'ws';
import { findChromium } from '../../../scripts/setup/programs.mjs';
import { networkConditions } from '../../../scripts/bytes/chromium.mjs';

const patienceMs = 60_000;

/**
 * @typedef {object} PlainPage
 * @property {(url: string) => Promise<void>} open
 * @property {(script: string) => Promise<void>} prepare - runs in every document before its own code
 * @property {(expression: string) => Promise<any>} evaluate
 * @property {(expression: string, everyMs?: number) => Promise<void>} until - the expression is true
 * @property {(text: string) => Promise<void>} type - a letter, or `\r` for Enter
 * @property {(selector: string) => Promise<void>} click - the middle of the first element
 * @property {() => Promise<number>} heap - bytes, after a collection
 * @property {() => Promise<void>} close
 */

/** @typedef {{ openPage: (profile: Profile) => Promise<PlainPage>, close: () => void }} PlainChromium */
/** @typedef {import('../../../scripts/bytes/chromium.mjs').Profile} Profile */

/**
 * Chromium without the domain `Runtime` of the developer tools, which Playwright needs, and without `Network` where the network is
 * not slowed down: with them Chromium notes where each `Error`, `fetch` and timer was made, which takes longer than most of the
 * code that is measured.
 *
 * @returns {Promise<PlainChromium>}
 */
export async function launchPlainChromium() {
  const args = ['--headless=new', '--no-sandbox', '--remote-debugging-port=0', '--window-size=1280,800'];
  const chromium = spawn(findChromium() ?? 'chromium', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const socket = new WebSocket(await addressOf(chromium.stderr));
  await once(socket, 'open');
  /** @type {Map<number, { resolve: (result: any) => void, reject: (error: Error) => void }>} */
  const waiting = new Map();
  let count = 0;
  socket.on('message', (data) => {
    const { id, result, error } = JSON.parse(String(data));
    if (error) waiting.get(id)?.reject(new Error(error.message));
    else waiting.get(id)?.resolve(result);
    waiting.delete(id);
  });
  /** @type {(method: string, params?: object, sessionId?: string) => Promise<any>} */
  const send = (method, params = {}, sessionId = undefined) =>
    new Promise((resolve, reject) => {
      count += 1;
      waiting.set(count, { resolve, reject });
      socket.send(JSON.stringify({ id: count, method, params, sessionId }));
    });
  return {
    openPage: (profile) => openPage(send, profile),
    close: () => {
      socket.close();
      chromium.kill();
    },
  };
}

/**
 * @param {(method: string, params?: object, sessionId?: string) => Promise<any>} send
 * @param {Profile} profile
 * @returns {Promise<PlainPage>}
 */
async function openPage(send, { cpu, network }) {
  const { browserContextId } = await send('Target.createBrowserContext');
  const { targetId } = await send('Target.createTarget', { url: 'about:blank', browserContextId });
  const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true });
  await send('Page.enable', {}, sessionId);
  await send('Emulation.setCPUThrottlingRate', { rate: cpu }, sessionId);
  if (network !== null) {
    await send('Network.enable', {}, sessionId);
    await send('Network.emulateNetworkConditions', networkConditions(network), sessionId);
  }
  /** @param {string} expression */
  const evaluate = async (expression) => {
    const asked = { expression, returnByValue: true, awaitPromise: true };
    return (await send('Runtime.evaluate', asked, sessionId)).result.value;
  };
  return {
    open: (url) => send('Page.navigate', { url }, sessionId),
    prepare: (source) => send('Page.addScriptToEvaluateOnNewDocument', { source }, sessionId),
    evaluate,
    until: async (expression, everyMs = 50) => {
      const endsAt = Date.now() + patienceMs;
      while (!(await evaluate(expression))) {
        if (Date.now() > endsAt) throw new Error(`Not within ${patienceMs / 1000} s: ${expression}`);
        await new Promise((resolve) => setTimeout(resolve, everyMs));
      }
    },
    type: (text) =>
      send(
        'Input.dispatchKeyEvent',
        { type: 'keyDown', text, key: text === '\r' ? 'Enter' : text },
        sessionId,
      ),
    click: async (selector) => {
      const { x, y, width, height } = await evaluate(
        `document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect().toJSON()`,
      );
      const at = { x: x + width / 2, y: y + height / 2, button: 'left', clickCount: 1 };
      for (const type of ['mousePressed', 'mouseReleased'])
        await send('Input.dispatchMouseEvent', { type, ...at }, sessionId);
    },
    heap: async () => {
      await send('HeapProfiler.collectGarbage', {}, sessionId);
      return (await send('Runtime.getHeapUsage', {}, sessionId)).usedSize;
    },
    close: () => send('Target.disposeBrowserContext', { browserContextId }),
  };
}

/** @param {import('node:stream').Readable} stderr */
async function addressOf(stderr) {
  for await (const line of createInterface(stderr)) {
    const [address] = /ws:\/\/\S+/.exec(line) ?? [];
    if (address !== undefined) return address;
  }
  throw new Error('Chromium did not start.');
}
