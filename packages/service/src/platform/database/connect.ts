import { createHash } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { Kysely, PostgresDialect, sql, type PostgresPool, type PostgresPoolClient } from 'kysely';
import { Client, Pool, type ClientBase, type ClientConfig, type PoolClient, type QueryConfig } from 'pg';
import { isLoopback } from '../addresses.ts';
import { statementLog } from '../metrics/traces.ts';
import { naming } from '../namedError.ts';
import type { DatabaseOptions, Logger } from '../settings/options.ts';
import { createAvailability, type Availability } from './availability.ts';
import { lockFolder } from './folderLock.ts';
import { listenBy } from './listen.ts';
import type { Listen } from './notifications.ts';
import { trialSetting } from './transaction.ts';
import { refuseTransactionPooling } from './pooling.ts';
import {
  isDatabaseAway,
  isOutOfResources,
  isPoolFull,
  isReadOnly,
  ReadOnlyError,
  retryWhileAway,
} from './retry.ts';

/** An open database. */
export interface Database<Tables> {
  /** Waits for a server that is temporarily unavailable. */
  readonly db: Kysely<Tables>;
  /** As `db`, without retries, for checks of whether the server responds. */
  readonly withoutRetry: Kysely<Tables>;
  readonly listen: Listen;
  readonly close: () => Promise<void>;
  readonly availability: Pick<Availability, 'obstacle' | 'probe' | 'clockAheadSeconds'>;
  readonly connections: () => { readonly total: number; readonly idle: number; readonly waiting: number };
}

/**
 * Opens the embedded database or a server, both through node-postgres. SQL must be valid on PostgreSQL 15 (server)
 * and 18 (PGlite).
 *
 * @throws PoolingError; NamedError if the database does not respond.
 */
export async function connect<Tables>(
  options: DatabaseOptions,
  logger: Logger,
  { isUnlimited = false, isTrial = false }: ConnectOptions = {},
): Promise<Database<Tables>> {
  if ('url' in options)
    return naming('DATABASE_URL', () =>
      connectToServer<Tables>(options.url, logger, { isUnlimited, isTrial }),
    );
  // Another process may have the folder open.
  return connectToEmbedded<Tables>(isTrial ? null : options.folder, logger);
}

interface ConnectOptions {
  /** Statements may take any time, for migrations. Default: the limits of calls. */
  readonly isUnlimited?: boolean;
  /** All statements are in one transaction, which is rolled back at the end; nothing is listened to, and no server waited for. */
  readonly isTrial?: boolean;
}

/** Time limits in milliseconds. */
const limits = {
  /**
   * The limit for a new connection, or a free one of the pool. Two of these waits, with `retryWhileAway` between them, end
   * before a proxy tries another process (8 s).
   */
  connect: 3_000,
  /** A probe is not stuck for longer, so that the next one finds the server as soon as it is back. */
  probe: 1_000,
  /** A query without a response for this time makes a process ask on another connection whether the server responds. */
  suspicion: 3_000,
  /** A connection ends after this time, also if the server does not respond. */
  end: 1_000,
  /** The limit of a statement, which the server enforces by an error. */
  statement: 10_000,
  /**
   * The server counts as lost after this time without a response. It is less than the 12 s after which a proxy may give up a call.
   */
  silence: 11_000,
  /**
   * A connection that is not used leaves the pool. Less than `silence`: when a silent server is noticed, each of its other
   * connections waits for a response too or has left the pool.
   */
  idle: 10_000,
  /**
   * A transaction without statements, enforced by the server: it releases the rows of a process that hangs when a proxy
   * has given up its calls.
   */
  idleInTransaction: 12_000,
};

/** Time limits that the server enforces. */
const serverLimits = {
  statement_timeout: limits.statement,
  idle_in_transaction_session_timeout: limits.idleInTransaction,
};

async function connectToServer<Tables>(
  url: string,
  logger: Logger,
  { isUnlimited, isTrial }: Required<ConnectOptions>,
): Promise<Database<Tables>> {
  const {
    Client: ServerClient,
    availability,
    isUsable,
    openOwn,
    leaving,
  } = createClients(url, logger, isUnlimited);
  const pool = new Pool({
    max: 10,
    connectionTimeoutMillis: limits.connect,
    idleTimeoutMillis: limits.idle,
    ...(isUnlimited ? {} : serverLimits),
    application_name: 'vestibule-service',
    Client: ServerClient,
    verify: (client, done) => {
      refuseReadOnly(client, availability).then(() => {
        done();
      }, done);
    },
  });
  const open = async () => {
    availability.expect();
    return leaving(async () => {
      for (;;) {
        const client = await pool.connect();
        if (isUsable(client)) return client;
        client.release(true);
      }
    });
  };
  const end = () => pool.end();
  const db = kyselyOn<Tables>(pool, logger, { connect: isTrial ? open : () => retryWhileAway(open), end });
  try {
    await refuseTransactionPooling(db);
  } catch (error) {
    await db.destroy();
    throw error;
  }
  if (isTrial) return trialOn<Tables>(pool, { connect: open, end }, availability);
  const listen = listenBy(
    () => openOwn('listener'),
    (client) => refuseReadOnly(client, availability),
    logger,
  );
  return {
    db,
    withoutRetry: new Kysely<Tables>({
      dialect: new PostgresDialect({ pool: { connect: open, end } }),
    }),
    ...closing(listen, () => db.destroy()),
    availability,
    connections: () => countsOf(pool),
  };
}

/** The end of a database ends listening too: a start that fails has no other end. */
function closing(listen: Listen, close: () => Promise<void>): Pick<Database<unknown>, 'listen' | 'close'> {
  const stops: (() => Promise<void>)[] = [];
  return {
    listen: async (...given) => {
      const stop = await listen(...given);
      stops.push(stop);
      return stop;
    },
    close: async () => {
      await Promise.all(stops.map((stop) => stop()));
      await close();
    },
  };
}

/** What transactions are in a transaction. */
const savepoints = {
  begin: 'savepoint own',
  commit: 'release savepoint own',
  rollback: 'rollback to savepoint own',
} as const;

/** Lends one connection, to one caller after another, in a transaction that is never committed. */
async function trialOn<Tables>(
  pool: Pool,
  { connect: open, end }: Access,
  availability: Availability,
): Promise<Database<Tables>> {
  const client = await open();
  await client.query(`begin; set local ${trialSetting} to on`);
  let last = Promise.resolve();
  const lend = async () => {
    const former = last;
    let release = (): void => undefined;
    last = new Promise((resolve) => (release = resolve));
    await former;
    let isInTransaction = false;
    const query = async (given: QueryConfig) => {
      if (given.text in savepoints) {
        isInTransaction = given.text === 'begin';
        return client.query(savepoints[given.text as keyof typeof savepoints]);
      }
      if (isInTransaction) return client.query(given);
      // A statement that fails must not end the transaction of the trial.
      await client.query(savepoints.begin);
      try {
        const result = await client.query(given);
        await client.query(savepoints.commit);
        return result;
      } catch (error) {
        await client.query(savepoints.rollback);
        throw error;
      }
    };
    return { query, release };
  };
  const close = async (): Promise<void> => {
    client.release(true);
    await end();
  };
  // Only this part of a connection is used.
  const connect = lend as unknown as Access['connect'];
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: preparing({ connect, end: close }) }),
  });
  return {
    db,
    withoutRetry: db,
    listen: () => Promise.resolve(() => Promise.resolve()),
    close: () => db.destroy(),
    connections: () => countsOf(pool),
    availability,
  };
}

/** Makes connections to the server in use, of those that the address names. */
function createClients(url: string, logger: Logger, isUnlimited: boolean) {
  const servers = serversOf(url).map((one) => ({ connectionString: one, ...tlsFor(one) }));
  let current = 0;
  const leave = (server: number): void => {
    if (server === current) current = (current + 1) % servers.length;
  };
  /** How often a server no longer accepted writes. Connections from before the latest time are not used again. */
  let losses = 0;
  class ServerClient extends Client {
    readonly openedAfter = losses;

    constructor(config?: ClientConfig) {
      super({ ...config, ...servers[current] });
      const server = current;
      // The interrupted query reports it; without a listener the process would end.
      this.on('error', () => undefined);
      endInTime(this);
      if (!isUnlimited)
        closeWhenLost(this, availability, (how) => {
          if (this.openedAfter < losses) return;
          if (how === 'readOnly') losses += 1;
          leave(server);
        });
    }
  }
  /** Leaves the server if it cannot be reached, or accepts no writes. */
  const leaving = async <Result>(connecting: () => Promise<Result>): Promise<Result> => {
    const tried = current;
    try {
      return await connecting();
    } catch (error) {
      if (isDatabaseAway(error) && !isPoolFull(error)) {
        leave(tried);
        if (!isOutOfResources(error)) availability.failed();
      }
      throw error;
    }
  };
  /** Opens a connection outside the pool. */
  const openOwn = async (name: string, connectionTimeoutMillis = limits.connect): Promise<Client> => {
    const tried = current;
    const client = new ServerClient({
      connectionTimeoutMillis,
      application_name: `vestibule-${name}`,
    });
    return writable(client, availability).catch((error: unknown) => {
      leave(tried);
      throw error;
    });
  };
  /** Asks one server after another whether it can be used. */
  const ask = async (left = servers.length): Promise<void> => {
    try {
      await (await openOwn('probe', limits.probe)).end();
    } catch (error) {
      if (isOutOfResources(error)) return;
      if (left === 1) throw error;
      await ask(left - 1);
    }
  };
  const availability = createAvailability(ask, logger);
  const isUsable = (client: ClientBase): boolean =>
    client instanceof ServerClient && client.openedAfter === losses;
  return { Client: ServerClient, availability, isUsable, leaving, openOwn };
}

/** Whether node-postgres understands the address of a server. */
export const isServerAddress = (url: string): boolean =>
  serversOf(url).every((connectionString) => {
    try {
      new Client({ connectionString });
      return true;
    } catch {
      return false;
    }
  });

/**
 * Splits libpq's form for several servers, `postgres://user@one:5432,two:5432/name`, which node-postgres does not
 * support. One of them accepts writes at a time; the others are standbys.
 */
function serversOf(url: string): readonly string[] {
  // A password may contain `@` and commas, so its end is the last `@`.
  const [, start = '', hosts = '', rest = ''] = /^(\w+:\/\/(?:[^/?]*@)?)([^/?]*)(.*)$/s.exec(url) ?? [];
  return hosts.includes(',') ? hosts.split(',').map((host) => `${start}${host}${rest}`) : [url];
}

/**
 * Refuses a standby, or a former primary that a pooler still connects to: calls would fail, or return old data. Reports the time of the
 * server.
 *
 * @throws ReadOnlyError
 */
async function refuseReadOnly(
  client: ClientBase,
  { heard, responded }: Pick<Availability, 'heard' | 'responded'>,
): Promise<void> {
  const askedAt = performance.now();
  const { rows } = await client.query<{ isReadOnly: string; time: number }>(
    `select current_setting('transaction_read_only') as "isReadOnly", extract(epoch from clock_timestamp())::float8 * 1000 as time`,
  );
  const [{ isReadOnly, time } = { isReadOnly: '', time: 0 }] = rows;
  if (isReadOnly !== 'off') throw new ReadOnlyError('The server accepts no writes.');
  heard(time, askedAt);
  responded();
}

/** Connects to a server that accepts writes. */
async function writable(client: Client, availability: Availability): Promise<Client> {
  try {
    await client.connect();
    await refuseReadOnly(client, availability);
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
}

const lossReasons = {
  silent: 'the server does not respond',
  readOnly: 'the server accepts no writes',
} as const;

/**
 * Closes the connection when a query gets no response (if a host lost its power or network, TCP would wait for a quarter of an
 * hour), or when the server no longer accepts writes. node-postgres' `query_timeout` would keep the connection in the pool.
 */
function closeWhenLost(
  client: Client,
  { suspect, responded }: Pick<Availability, 'suspect' | 'responded'>,
  onLost: (how: keyof typeof lossReasons) => void,
): void {
  const send = client.query.bind(client) as (...args: readonly unknown[]) => Promise<unknown>;
  const close = (how: keyof typeof lossReasons): void => {
    onLost(how);
    client.connection.stream.destroy(new Error(`Connection terminated: ${lossReasons[how]}`));
  };
  const query = async (...args: readonly unknown[]): Promise<unknown> => {
    const timers = [
      setTimeout(suspect, limits.suspicion, performance.now()),
      setTimeout(close, limits.silence, 'silent'),
    ];
    try {
      const result = await send(...args);
      responded();
      return result;
    } catch (error) {
      if (isReadOnly(error)) close('readOnly');
      throw error;
    } finally {
      timers.forEach(clearTimeout);
    }
  };
  Object.assign(client, { query });
}

/** Ends the connection also if the server does not respond: TCP would wait for it. */
function endInTime(client: Client): void {
  const end: (...args: readonly never[]) => unknown = client.end.bind(client);
  Object.assign(client, {
    end: (...args: readonly never[]) => {
      setTimeout(() => client.connection.stream.destroy(), limits.end).unref();
      return end(...args);
    },
  });
}

/**
 * TLS with a verified certificate, if the connection string does not configure it and the host is another machine.
 */
function tlsFor(url: string): { readonly ssl?: true } {
  // The client parses the address, because the query may name the host.
  const { host } = new Client({ connectionString: url });
  return host.startsWith('/') || isLoopback(host) ? {} : { ssl: true };
}

async function connectToEmbedded<Tables>(folder: string | null, logger: Logger): Promise<Database<Tables>> {
  const unlock = folder === null ? () => undefined : lockFolder(folder);
  try {
    const { openEmbedded } = await embeddedModule();
    const embedded = await openEmbedded(folder);
    const pool = new Pool(embedded.config);
    const notifications = new EventEmitter();
    // The listener is added before the first connection, which the pool reuses.
    pool.on('connect', (client) =>
      client.on('notification', ({ channel, payload = '' }) => {
        notifications.emit(channel, payload);
      }),
    );
    const db = kyselyOn<Tables>(pool, logger);
    return {
      db,
      withoutRetry: db,
      listen: async (channel, onNotification) => {
        notifications.on(channel, onNotification);
        await sql`listen ${sql.id(channel)}`.execute(db);
        return () => Promise.resolve();
      },
      connections: () => countsOf(pool),
      availability: {
        obstacle: () => null,
        probe: () => Promise.resolve(),
        // It has the clock of this machine.
        clockAheadSeconds: () => 0,
      },
      close: async () => {
        await db.destroy();
        await embedded.close();
        unlock();
      },
    };
  } catch (error) {
    unlock();
    throw error;
  }
}

/** PGlite is a development dependency, which a production installation lacks. */
async function embeddedModule() {
  try {
    return await import('./embedded.ts');
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
    if (!isMissing) throw error;
    throw new Error('The embedded database is for development and not installed here: set DATABASE_URL.');
  }
}

function countsOf({
  totalCount,
  idleCount,
  waitingCount,
}: Pool): ReturnType<Database<unknown>['connections']> {
  return { total: totalCount, idle: idleCount, waiting: waitingCount };
}

function kyselyOn<Tables>(
  pool: Pool,
  logger: Logger,
  access: Access = { connect: () => pool.connect(), end: () => pool.end() },
): Kysely<Tables> {
  // An 'error' event without a listener ends the process. The pool emits it for idle connections that are lost, a
  // client for one that is in use; the query in progress rejects as well.
  const report = (error: Error): void => {
    logger.warn('database connection lost', { reason: error.message });
  };
  pool.on('error', report);
  pool.on('connect', (client) => client.on('error', report));
  return new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: preparing(access) }),
    ...statementLog(),
  });
}

/** A pool, or a wrapper of it. */
interface Access {
  readonly connect: () => Promise<PoolClient>;
  readonly end: () => Promise<void>;
}

/** Limits the prepared statements of a connection. The service has fewer, except for inserts of many rows. */
const mostPrepared = 300;

/**
 * Prepares statements, so that each connection parses and plans each of them once. Statements with `*` are not
 * prepared: if a newer release adds a column, PostgreSQL rejects them ("cached plan must not change result type").
 */
function preparing({ connect: open, end }: Access): PostgresPool {
  const names = new Map<string, string>();
  const nameOf = (text: string): string | undefined => {
    const known = names.get(text);
    if (known !== undefined || names.size >= mostPrepared || text.includes('*')) return known;
    const name = createHash('sha256').update(text, 'utf8').digest('base64url');
    names.set(text, name);
    return name;
  };
  const preparingClient = (client: PoolClient): PostgresPoolClient => {
    const query = (text: string, values: readonly unknown[]) => {
      const name = values.length === 0 ? undefined : nameOf(text);
      return client.query({ text, values: [...values], ...(name === undefined ? {} : { name }) });
    };
    return {
      // This is only one of Kysely's two overloads, because cursors are not used.
      query: query as unknown as PostgresPoolClient['query'],
      release: () => {
        client.release();
      },
    };
  };
  // Kysely keeps a connection of its own for each object that it gets.
  const known = new WeakMap<PoolClient, PostgresPoolClient>();
  return {
    connect: async () => {
      const client = await open();
      const prepared = known.get(client) ?? preparingClient(client);
      known.set(client, prepared);
      return prepared;
    },
    end,
  };
}
