import { createHash } from 'node:crypto';
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import { Client, Pool, type ClientBase, type ClientConfig, type PoolClient } from 'pg';
import { isLoopback } from '../addresses.ts';
import { statementLog } from '../metrics/traces.ts';
import type { DatabaseOptions, Logger } from '../settings/options.ts';
import { lockFolder } from './folderLock.ts';
import { isDatabaseAway, isPoolFull, retryWhileAway, StandbyError } from './retry.ts';
import type { Tables } from './tables.ts';

/** An open database. */
export interface Database {
  /** Waits a while for a server that is away. */
  readonly db: Kysely<Tables>;
  /** The same, and fails at once: for who asks whether the server is there. */
  readonly impatient: Kysely<Tables>;
  readonly close: () => Promise<void>;
  readonly connections: () => { readonly total: number; readonly idle: number; readonly waiting: number };
}

/**
 * Opens the embedded database or a server. Both are spoken to through node-postgres, so that there is one code path;
 * SQL has to be valid on PostgreSQL 15 (a server's) and 18 (PGlite's).
 */
export async function connect(options: DatabaseOptions, logger: Logger): Promise<Database> {
  return 'url' in options ? connectToServer(options.url, logger) : connectToEmbedded(options.folder, logger);
}

/** In milliseconds. */
const limits = {
  /** For a connection, or a place in the pool. Two of them are waited for (`patience.ts`), and end before nginx asks another process (8 s). */
  connect: 3_000,
  /** Kept by the server, which answers with an error then. */
  statement: 10_000,
  /** After that a server is not there any more. Less than the 12 s after which nginx gives a call up. */
  silence: 11_000,
  /**
   * A transaction in which nothing is asked, kept by the server: the rows of a process that stands still are free again when nginx has given
   * its calls up. One that goes on before loses nothing.
   */
  idleInTransaction: 12_000,
};

function connectToServer(url: string, logger: Logger): Database {
  const servers = serversOf(url).map((one) => ({ connectionString: one, ...tlsFor(one) }));
  let current = 0;
  const leave = (server: number): void => {
    if (server === current) current = (current + 1) % servers.length;
  };
  const pool = new Pool({
    max: 10,
    connectionTimeoutMillis: limits.connect,
    statement_timeout: limits.statement,
    idle_in_transaction_session_timeout: limits.idleInTransaction,
    application_name: 'vestibule-service',
    Client: class extends Client {
      constructor(config?: ClientConfig) {
        super({ ...config, ...servers[current] });
        const server = current;
        cutWhenSilent(this, () => {
          leave(server);
        });
      }
    },
    ...(servers.length > 1 ? { verify: refuseStandby } : {}),
  });
  const open = async () => {
    const tried = current;
    try {
      return await pool.connect();
    } catch (error) {
      if (isDatabaseAway(error) && !isPoolFull(error)) leave(tried);
      throw error;
    }
  };
  const end = () => pool.end();
  const db = kyselyOn(pool, logger, { connect: () => retryWhileAway(open), end });
  return {
    db,
    impatient: new Kysely<Tables>({ dialect: new PostgresDialect({ pool: { connect: open, end } }) }),
    close: () => db.destroy(),
    connections: () => countsOf(pool),
  };
}

/**
 * The servers of libpq's form for several, `postgres://user@one:5432,two:5432/name`, of which one takes writes at a time: the others
 * are standbys. node-postgres knows one.
 */
function serversOf(url: string): readonly string[] {
  // A password may contain `@` and commas, so its end is the last `@`.
  const [, start = '', hosts = '', rest = ''] = /^(\w+:\/\/(?:[^/?]*@)?)([^/?]*)(.*)$/s.exec(url) ?? [];
  return hosts.includes(',') ? hosts.split(',').map((host) => `${start}${host}${rest}`) : [url];
}

/** Of each new connection; the pool drops those that are refused. */
function refuseStandby(client: ClientBase, done: (error?: Error) => void): void {
  client.query<{ isStandby: boolean }>('select pg_is_in_recovery() as "isStandby"').then(({ rows }) => {
    done(rows[0]?.isStandby === false ? undefined : new StandbyError('The server is a standby.'));
  }, done);
}

/**
 * Cuts the connection when a query is not answered: of a host that lost its power or network nothing is heard, and TCP waits for a quarter
 * of an hour. The pool would keep a connection whose query was only given up (node-postgres' `query_timeout`).
 */
function cutWhenSilent(client: Client, onSilence: () => void): void {
  const ask = client.query.bind(client) as (...args: readonly unknown[]) => Promise<unknown>;
  const query = async (...args: readonly unknown[]): Promise<unknown> => {
    const timer = setTimeout(() => {
      onSilence();
      client.connection.stream.destroy(new Error('Connection terminated: the server does not answer'));
    }, limits.silence);
    try {
      return await ask(...args);
    } finally {
      clearTimeout(timer);
    }
  };
  Object.assign(client, { query });
}

/** TLS with a checked certificate, where the connection string says nothing of it and its host is another machine. */
function tlsFor(url: string): { readonly ssl?: true } {
  // The client's own reading of the string, which may name the host in its query.
  const { host } = new Client({ connectionString: url });
  return host.startsWith('/') || isLoopback(host) ? {} : { ssl: true };
}

async function connectToEmbedded(folder: string | null, logger: Logger): Promise<Database> {
  const unlock = folder === null ? () => undefined : lockFolder(folder);
  try {
    const { openEmbedded } = await embeddedModule();
    const embedded = await openEmbedded(folder);
    const pool = new Pool(embedded.config);
    const db = kyselyOn(pool, logger);
    return {
      db,
      impatient: db,
      connections: () => countsOf(pool),
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

/** PGlite is a development dependency, and not part of a production installation. */
async function embeddedModule() {
  try {
    return await import('./embedded.ts');
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
    if (!isMissing) throw error;
    throw new Error('The embedded database is for development and not installed here: set DATABASE_URL.');
  }
}

function countsOf({ totalCount, idleCount, waitingCount }: Pool): ReturnType<Database['connections']> {
  return { total: totalCount, idle: idleCount, waiting: waitingCount };
}

function kyselyOn(
  pool: Pool,
  logger: Logger,
  access: Access = { connect: () => pool.connect(), end: () => pool.end() },
): Kysely<Tables> {
  // An 'error' without a listener ends the process. The pool emits it for idle connections that are lost (the
  // server restarts), a client for one that is in use; the query under way rejects as well.
  const report = (error: Error): void => {
    logger.warn('database connection lost', { reason: error.message });
  };
  pool.on('error', report);
  pool.on('connect', (client) => client.on('error', report));
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: preparing(access) }), ...statementLog() });
}

/** A pool, or what stands before it. */
interface Access {
  readonly connect: () => Promise<PoolClient>;
  readonly end: () => Promise<void>;
}

/** Bounds what each connection remembers at the server; the service has fewer statements, but for lists of many lengths. */
const mostPrepared = 300;

/**
 * Prepares statements, so that a connection parses and plans each once. Not those of all columns (`*`): when a newer release
 * adds one while this one runs, PostgreSQL refuses to carry them out ("cached plan must not change result type").
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
  return {
    connect: async () => {
      const client = await open();
      const query = (text: string, values: readonly unknown[]) => {
        const name = values.length === 0 ? undefined : nameOf(text);
        return client.query({ text, values: [...values], ...(name === undefined ? {} : { name }) });
      };
      return {
        // Of Kysely's two forms: cursors are not used.
        query: query as unknown as PostgresPoolClient['query'],
        release: () => {
          client.release();
        },
      };
    },
    end,
  };
}
