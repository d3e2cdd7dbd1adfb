import type { DatabaseOptions } from '../../../service';
import { startPostgres, type PostgresServer } from './postgres';

/** A kind of database, opened for one test file. */
export interface DatabaseKind {
  readonly name: string;
  readonly open: () => Promise<{ readonly options: DatabaseOptions; readonly close: () => Promise<void> }>;
}

/** The embedded database and a real PostgreSQL: what holds on the one has to hold on the other. */
export const bothDatabases: readonly DatabaseKind[] = [
  {
    name: 'the embedded database',
    open: () => Promise.resolve({ options: { folder: null }, close: () => Promise.resolve() }),
  },
  {
    name: 'PostgreSQL',
    open: async () => {
      const server: PostgresServer = await startPostgres();
      return { options: { url: await server.newDatabase() }, close: server.stop };
    },
  },
];
