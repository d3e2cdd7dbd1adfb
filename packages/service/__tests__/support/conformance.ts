import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { runConformance } from '@vestibule/contract/conformance';
import { extensionNames } from '@vestibule/contract/document';
import * as v from 'valibot';
import { deployedClients } from '../../src/core/clientFields.ts';
import { hashOfToken } from '../../src/platform/security/opaqueTokens.ts';
import { optionsOf } from './extensions.ts';
import { startTestService, type TestService } from './testService.ts';

const secret = 'secret-of-the-ledger-application-0123456789';
const ledger = {
  id: 'ledger',
  name: 'Ledger',
  confirmations: true,
  secretHash: `sha256:${hashOfToken(secret)}`,
};
/** The client with which the conformance suite asks for payments. */
export const client = { id: ledger.id, secret };

/** The account that the conformance suite signs in with. */
export const credentials = { username: 'ada@example.com', password: 'Correct-horse7' };

/** Starts a service with every extension for the tests of a file, and servers that answer differently in places. */
export function serveForConformance() {
  const service = {} as TestService;
  const servers: Server[] = [];
  beforeAll(async () => {
    Object.assign(
      service,
      await startTestService({
        ...optionsOf(...extensionNames()),
        clients: v.parse(deployedClients, [ledger]),
      }),
    );
    await service.write();
  });
  afterAll(async () => {
    for (const server of servers) server.close().closeAllConnections();
    await service.close();
  });

  const serve = async (listener: RequestListener): Promise<string> => {
    const server = createServer(listener).listen(0, '127.0.0.1');
    servers.push(server);
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('No port was given.');
    return `http://127.0.0.1:${address.port}`;
  };

  /** The service, with another answer where `answer` gives one. */
  const serveBut = (answer: (request: IncomingMessage) => readonly [number, string] | undefined) =>
    serve((request, response) => {
      const [status, body] = answer(request) ?? [];
      if (status === undefined) service.service.handle(request, response);
      else
        response
          .writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' })
          .end(body);
    });

  /** The rules of an extension that the service breaks with these answers. */
  const brokenWith = async (
    answer: (request: IncomingMessage) => object | undefined,
    extension: string,
  ): Promise<readonly string[]> => {
    const baseUrl = await serveBut((request) => {
      const body = answer(request);
      return body && [200, JSON.stringify(body)];
    });
    return failedRules(
      await runConformance({ baseUrl, client, account: credentials, extensions: [extension] }),
    );
  };
  return { service, serve, serveBut, brokenWith };
}

/** The rules that a service has broken, each after its call. */
export const failedRules = (results: Awaited<ReturnType<typeof runConformance>>): readonly string[] =>
  results.filter(({ outcome }) => outcome === 'failed').map(({ call, rule }) => `${call}: ${rule}`);
