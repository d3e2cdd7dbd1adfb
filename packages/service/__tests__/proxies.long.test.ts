import { once } from 'node:events';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { operationsOf, readContract } from '@vestibule/contract/document';
import { findCaddy, findNginx } from '../../../scripts/setup/programs.mjs';
import { startCaddy, startNginx } from './support/proxies.ts';
import { ask, createTestDeployment, type TestDeployment } from './support/testDeployment.ts';

const host = 'api.example.test';
const json = '{"a":1}';

/** Two processes behind a proxy. */
class Processes {
  readonly isReady = [true, true];
  /** The process and the request of each call that has come, with its body. */
  readonly came: { readonly process: number; readonly request: IncomingMessage; readonly body: string }[] =
    [];
  /** What a process answers, besides its health. */
  respond: (response: ServerResponse, request: IncomingMessage, times: number) => void = (response) =>
    response.end();
  readonly servers = [0, 1].map((process) =>
    http.createServer((request, response) => {
      if (request.url === '/ready') response.writeHead(this.isReady[process] === true ? 200 : 503).end();
      else void this.hear(process, request, response);
    }),
  );

  /** How often a call has come. */
  times(target: string): number {
    return this.came.filter(({ request }) => request.url === target).length;
  }
  /** Which processes have got calls. */
  get reached(): readonly number[] {
    return [...new Set(this.came.map(({ process }) => process))].sort();
  }
  private async hear(process: number, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = (await request.toArray()).join('');
    this.came.push({ process, request, body });
    this.respond(response, request, this.times(request.url ?? ''));
  }
}

for (const [name, start, isInstalled] of [
  ['nginx', startNginx, findNginx() !== null],
  ['Caddy', startCaddy, findCaddy() !== null],
] as const)
  (isInstalled ? describe : describe.skip)(`${name} as docs/operations.md configures it`, () => {
    const isNginx = name === 'nginx';
    let processes: Processes;
    let deployment: TestDeployment;
    let stop: () => Promise<void>;

    beforeEach(async () => {
      processes = new Processes();
      for (const server of processes.servers) await once(server.listen(0, '127.0.0.1'), 'listening');
      deployment = await createTestDeployment();
      stop = await start(
        deployment,
        processes.servers.map((server) => (server.address() as AddressInfo).port),
      );
    });

    afterEach(async () => {
      await stop();
      for (const server of processes.servers) server.close();
      deployment.remove();
    });

    const call = (method: string, target: string, headers: Readonly<Record<string, string>> = {}) =>
      ask(deployment, host, target, { method, headers, ...(method === 'POST' ? { body: json } : {}) });

    /** Sends calls that change an account, in a row. @returns their statuses */
    const change = async (count: number): Promise<readonly number[]> => {
      const statuses = [];
      for (let sent = 0; sent < count; sent += 1)
        statuses.push((await call('POST', '/mfa/v1/disable')).status);
      return statuses;
    };

    it('passes on the host, and the address of the caller instead of one that the caller claims', async () => {
      await call('GET', '/login', { 'X-Forwarded-For': '203.0.113.9' });
      const [{ headers }] = processes.came.map(({ request }) => request) as [IncomingMessage];
      expect(headers.host?.split(':')[0]).toBe(host);
      expect(headers['x-forwarded-for']).toBe('127.0.0.1');
    });

    it('passes on an event stream at once, and that its reader has gone', async () => {
      const ended = new Promise((resolve) => {
        processes.respond = (response) => {
          response.writeHead(200, { 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' });
          response.write('data: 1\n\n');
          response.once('close', resolve);
        };
      });
      const reader = https.get({
        ...{ port: deployment.httpsPort, path: '/auth/v1/events', servername: host, headers: { host } },
        rejectUnauthorized: false,
      });
      const [response] = (await once(reader, 'response')) as [IncomingMessage];
      expect(String(await once(response, 'data'))).toBe('data: 1\n\n');
      reader.on('error', () => undefined).destroy();
      await ended;
    });

    it('sends a call of a killed process to the other if it only reads or, with nginx, the contract calls it repeatable', async () => {
      processes.respond = (response, { socket }, times) => {
        if (times === 1) socket.destroy();
        else response.end();
      };
      const calls = operationsOf(readContract()).map(({ method, path, isRepeatable }) => ({
        method: method.toUpperCase(),
        target: path.replace(/\{\w+\}/g, 'x'),
        isSentAgain: method === 'get' || (isNginx && isRepeatable),
      }));
      const outcomes = [];
      for (const { method, target } of calls) {
        processes.came.length = 0;
        const { status } = await call(method, target);
        outcomes.push({ target, status, bodies: processes.came.map(({ body }) => body) });
      }
      expect(outcomes).toEqual(
        calls.map(({ method, target, isSentAgain }) => ({
          target,
          status: isSentAgain ? 200 : 502,
          bodies: Array(isSentAgain ? 2 : 1).fill(method === 'POST' ? json : ''),
        })),
      );
    });

    it('sends every call to the other process when one is gone, and to both when it is back', async () => {
      expect(await change(6)).toEqual(Array(6).fill(200));
      expect(processes.reached).toEqual([0, 1]);
      const [first] = processes.servers as [http.Server];
      const { port } = first.address() as AddressInfo;
      first.close().closeAllConnections();
      processes.came.length = 0;
      expect(await change(20)).toEqual(Array(20).fill(200));
      expect(processes.reached).toEqual([1]);
      await once(first.listen(port, '127.0.0.1'), 'listening');
      await pause(2_500);
      await change(20);
      expect(processes.reached).toEqual([0, 1]);
    });

    if (isNginx)
      it('after 8 s sends a sign-in of a process that hangs to the other, and waits for the rest', async () => {
        processes.respond = (response, _request, times) =>
          setTimeout(() => response.end(), times === 1 ? 10_000 : 0);
        const targets = ['/auth/v1/token', '/auth/v1/refresh', '/mfa/v1/twofactor-add'];
        const answers = await Promise.all(targets.map((target) => call('POST', target)));
        expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
        expect(targets.map((target) => processes.times(target))).toEqual([2, 2, 1]);
      });
    else
      it('sends nothing to a process that is not ready, within the 2 s that it goes on', async () => {
        processes.isReady[0] = false;
        await pause(2_000);
        await change(20);
        expect(processes.reached).toEqual([1]);
      });
  });
