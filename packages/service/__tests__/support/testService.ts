import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createService, type AccountInput, type Service, type ServiceOptions } from '../../src/index.ts';
import { bothDatabases, testsAll } from './bothDatabases.ts';
import { newDatabase } from './postgres.ts';
import { recordingLogger, type RecordedLog } from './recordingLogger.ts';
import { recordingOutbox, type RecordedOutbox } from './recordingOutbox.ts';

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

interface RequestParts {
  readonly body?: unknown;
  /** Sent as it is, instead of `body`. */
  readonly rawBody?: string | Uint8Array<ArrayBuffer>;
  readonly bearer?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

type TestServiceOptions = Pick<ServiceOptions, 'database'> &
  Partial<ServiceOptions> & { readonly withoutKey?: boolean };

/** A service behind a real HTTP server, with a clock that the test moves. */
export interface TestService {
  readonly service: Service;
  readonly directory: Service['directory'];
  readonly url: string;
  readonly log: RecordedLog;
  readonly outbox: RecordedOutbox;
  readonly get: (path: string, parts?: RequestParts) => Promise<TestResponse>;
  readonly post: (path: string, body: unknown, parts?: RequestParts) => Promise<TestResponse>;
  readonly send: (method: string, path: string, parts?: RequestParts) => Promise<TestResponse>;
  /** Milliseconds since 1970, as the service sees it. */
  readonly now: () => number;
  readonly passSeconds: (seconds: number) => void;
  /** Resolves when the service reads its clock next: a call is in progress. */
  readonly nextClockRead: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/**
 * Cheap hashes, no limits per address, and encrypted secrets, unless the test sets other options. In `npm test` a
 * database of PostgreSQL stands in for an embedded one in memory, which takes seconds to start.
 */
export async function startTestService({
  withoutKey = false,
  ...options
}: TestServiceOptions): Promise<TestService> {
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
    database: inMemory(options.database) && !testsAll ? { url: await newDatabase() } : options.database,
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

  return {
    service,
    directory: service.directory,
    url,
    log,
    outbox,
    send,
    get: (path, parts) => send('GET', path, parts),
    post: (path, body, parts) => send('POST', path, { ...parts, body }),
    now: () => clock,
    passSeconds: (seconds) => {
      clock += seconds * 1000;
    },
    nextClockRead: () =>
      new Promise((resolve) => {
        onClockRead = resolve;
      }),
    close: async () => {
      server.close();
      server.closeAllConnections();
      await service.close();
    },
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
  options: Partial<TestServiceOptions> = {},
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

/** An account with one persona and a password, with what the test changes of it. */
export function account(changes: Partial<AccountInput> = {}): AccountInput {
  return {
    username: 'ada@example.com',
    email: 'ada@example.com',
    firstName: 'Ada',
    lastName: 'Lovelace',
    password: 'Correct-horse7',
    methods: [{ method: 'basic' }],
    personas: { ledger: [{ applicationUrl: 'http://ledger.payments.localhost/' }] },
    mfa: null,
    mustSetUpMfa: false,
    lastReset: null,
    ...changes,
  };
}

/** Signs in with the password of `account()` or another. */
export function signIn(
  { post }: Pick<TestService, 'post'>,
  credentials: { username?: string; password?: string; trustedJWT?: string } = {},
): Promise<TestResponse> {
  return post('/auth/v1/token', {
    username: 'ada@example.com',
    method: 'basic',
    password: 'Correct-horse7',
    ...credentials,
  });
}

/** The same service for a client at another address; needs `trustedProxies: ['127.0.0.1']`. */
export function at(testService: TestService, address: string): TestService {
  const headers = { 'X-Forwarded-For': address };
  return {
    ...testService,
    post: (path, body, parts) =>
      testService.post(path, body, { ...parts, headers: { ...parts?.headers, ...headers } }),
  };
}

/** Reads a string property; the test fails where it is none. */
export function text(answer: TestResponse, name: string): string {
  const value = answer.body[name];
  if (typeof value !== 'string') throw new Error(`${name} is not a string in ${answer.text}`);
  return value;
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
