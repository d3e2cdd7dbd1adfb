import type { DatabaseOptions } from '../../src/index.ts';
import { newDatabase } from './postgres.ts';

/** A kind of database, opened for one test file. */
export interface DatabaseKind {
  readonly name: string;
  readonly open: () => Promise<DatabaseOptions>;
}

/** Whether this run includes the slow tests: `npm test -- --all`. */
export const testsAll = process.env['TEST_ALL'] === '1';

const embedded: DatabaseKind = {
  name: 'the embedded database',
  open: () => Promise.resolve({ folder: null }),
};
const postgres: DatabaseKind = { name: 'PostgreSQL', open: async () => ({ url: await newDatabase() }) };

/**
 * What holds on a real PostgreSQL must hold on the embedded one. That one takes seconds of processor time to start, so
 * it is used in slow tests only.
 */
export const bothDatabases: readonly DatabaseKind[] = testsAll ? [embedded, postgres] : [postgres];
