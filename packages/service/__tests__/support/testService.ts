import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createService, type Service, type ServiceOptions } from '../../src/index.ts';
import { bothDatabases, testsAll } from './bothDatabases.ts';
import { newDatabase } from './postgres.ts';
import { recordingLogger, type RecordedLog } from './recordingLogger.ts';
import { recordingOutbox, type RecordedOutbox } from './recordingOutbox.ts';
import { type Client, userCalls, type UserCalls } from './userCalls.ts';

export { account, ada, text } from './userCalls.ts';

export const issuer = 'http://api.payments.localhost';
/** 32 bytes in base64. */
export const encryptionKey = Buffer.alloc(32, 'key').toString('base64');
export const loginOrigin = 'http://login.payments.localhost';

/** An answer whose JSON was read. The service itself sends none that breaks the contract: see `http.test.ts`. */
export interface TestResponse {
  readonly status: number;
  readonly headers: Headers;
  /** The response's properties; lists have theirs under '0', '1'… */
  readonly body: Readonly<Record<string, unknown>>;
  readonly text: string;
}

export interface RequestParts {
  readonly body?: unknown;
  /** Sent as it is, instead of `body`. */
  readonly rawBody?: string | Uint8Array<ArrayBuffer>;
  readonly bearer?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

type TestServiceOptions = Partial<ServiceOptions> & { readonly withoutKey?: boolean };

/** A service behind a real HTTP server, with a clock that the test moves. */
export interface TestService extends Client, UserCalls, AsyncDisposable {
  readonly service: Service;
  readonly url: string;
  readonly log: RecordedLog;
  readonly outbox: RecordedOutbox;
  readonly send: (method: string, path: string, parts?: RequestParts) => Promise<TestResponse>;
  readonly passSeconds: (seconds: number) => void;
  /** Resolves when the service reads its clock next: a call is in progress. */
  readonly nextClockRead: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/**
 * Cheap hashes, no limits per address, encrypted secrets, and an embedded database in memory, unless the test sets other
 * options. In `npm test` a database of PostgreSQL replaces the embedded one, which takes seconds to start.
 */
export async function startTestService({
  withoutKey = false,
  database = { folder: null },
  ...options
}: TestServiceOptions = {}): Promise<TestService> {
  let clock = Date.UTC(2026, 2, 14, 9, 26, 53);
  let onClockRead: () => void = () => undefined;
  const log = recordingLogger();
  const outbox = recordingOutbox();
  const service = await createService({
    issuer,
    allowedOrigins: [loginOrigin],
    ...(withoutKey ? {} : { encryptionKey }),
    // A test has one address, and may hold one of its calls at a lock until another has finished.
    passwordHash: { memoryKib: 1024, passes: 1, atOnce: 16 },
    rateLimit: 'off',
    now: () => {
      onClockRead();
      return clock;
    },
    logger: log.logger,
    outbox: outbox.port,
    ...options,
    database: inMemory(database) && !testsAll ? { url: await newDatabase() } : database,
  });
  // Node drops idle connections after 5 s; a client that sends at that moment is reset, which no test here is about.
  const server = createServer({ keepAliveTimeout: 0 }, service.handle);
  const url = await listen(server);

  const send: TestService['send'] = async (method, path, parts = {}) => {
    const payload = parts.rawBody ?? (parts.body === undefined ? undefined : JSON.stringify(parts.body));
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(payload === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(parts.bearer === undefined ? {} : { Authorization: `Bearer ${parts.bearer}` }),
        ...parts.headers,
      },
      ...(payload === undefined ? {} : { body: payload }),
    });
    const text = await response.text();
    const json: unknown = text === '' ? {} : JSON.parse(text);
    return { status: response.status, headers: response.headers, body: propertiesOf(json), text };
  };

  const now = options.now ?? (() => clock);
  const get: TestService['get'] = (path, parts) => send('GET', path, parts);
  const post: TestService['post'] = (path, body, parts) => send('POST', path, { ...parts, body });
  const { directory } = service;
  const close = async () => {
    server.close();
    server.closeAllConnections();
    await service.close();
  };
  return {
    ...userCalls({ get, post, directory, now }),
    ...{ service, directory, url, log, outbox, send, get, post, now },
    passSeconds: (seconds) => {
      clock += seconds * 1000;
    },
    nextClockRead: () =>
      new Promise((resolve) => {
        onClockRead = resolve;
      }),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/**
 * Describes what holds on every kind of database: with one service for the suite, and no accounts before each test.
 *
 * @param define - gets the service, which may be used in hooks and tests
 */
export function describeService(
  name: string,
  define: (service: TestService) => void,
  options: TestServiceOptions = {},
): void {
  describe.each(bothDatabases)(`${name}, on $name`, ({ open }) => {
    const service = {} as TestService;
    beforeAll(async () => {
      Object.assign(service, await startTestService({ ...options, database: await open() }));
    });
    afterAll(() => service.close());
    beforeEach(() => service.directory.resetAll());
    define(service);
  });
}

const inMemory = (database: ServiceOptions['database']): boolean =>
  'folder' in database && database.folder === null;

/** The same service for a client at another address; needs `trustedProxies: ['127.0.0.1']`. */
export function at(testService: TestService, address: string): TestService {
  const headers = { 'X-Forwarded-For': address };
  const post: TestService['post'] = (path, body, parts) =>
    testService.post(path, body, { ...parts, headers: { ...parts?.headers, ...headers } });
  return { ...testService, post, ...userCalls({ ...testService, post }) };
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}

function propertiesOf(json: unknown): Readonly<Record<string, unknown>> {
  return typeof json === 'object' && json !== null ? Object.fromEntries(Object.entries(json)) : {};
}
