import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { configure } from '../../src/cli/configure.ts';
import { readDeployment } from '../../src/cli/deployment.ts';
import { ask, createTestDeployment, startNginx, writeSmallBuild } from '../support/testDeployment.ts';

test('nginx sends what may be carried out twice to another process when its own hangs for 8 s, and waits for the rest', async () => {
  /** How often each call has reached a process. The first process goes on after 10 s. */
  const reached: Record<string, number> = {};
  /** The ids by which nginx and the processes log the calls. */
  const ids = new Set<string>();
  const servers = [0, 1].map(() =>
    http.createServer(({ url = '', headers }, response) => {
      ids.add(String(headers['x-request-id']));
      reached[url] = (reached[url] ?? 0) + 1;
      setTimeout(() => response.end(), reached[url] === 1 ? 10_000 : 0);
    }),
  );
  for (const server of servers) await once(server.listen(0, '127.0.0.1'), 'listening');
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  const deployment = await createTestDeployment(ports);
  const [build, out] = [path.join(deployment.folder, 'build'), path.join(deployment.folder, 'out')];
  writeSmallBuild(build);
  configure(readDeployment(deployment.deployment), build, out);
  const stopNginx = await startNginx(deployment, path.join(out, 'vestibule.conf'));
  const calls = [
    ['POST', '/auth/v1/token', 2],
    ['POST', '/auth/v1/refresh', 2],
    ['GET', '/user-management/v1/users/u-1', 2],
    ['POST', '/mfa/v1/twofactor-add', 1],
  ] as const;

  try {
    const responses = await Promise.all(
      calls.map(([method, target]) =>
        ask(deployment, 'api.example.test', target, { method, headers: { 'X-Request-Id': 'from-a-caller' } }),
      ),
    );
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(reached).toEqual(Object.fromEntries(calls.map(([, target, times]) => [target, times])));
    // nginx writes a call's line after it has sent the response: it has written all of them when it has stopped.
    await stopNginx();
    const logs = ['access.log', 'error.log'].map((name) =>
      readFileSync(path.join(deployment.folder, name), 'utf8'),
    );
    expect(logs.join('')).not.toContain('u-1');
    expect([...ids].sort()).toEqual(
      Array.from(logs.join('').matchAll(/ ([\da-f]{32})$/gm), ([, id]) => id).sort(),
    );
    expect(ids.size).toBe(calls.length);
  } finally {
    await stopNginx();
    for (const server of servers) server.close();
    deployment.remove();
  }
}, 60_000);
