import { sql } from 'kysely';
import type { Tables } from '../src/core/database/tables.ts';
import { anyOf } from '../src/platform/database/anyOf.ts';
import { compiledOnce } from '../src/platform/database/compiledOnce.ts';
import { connect } from '../src/platform/database/connect.ts';
import { newDatabase } from './support/postgres.ts';
import { recordingLogger } from './support/recordingLogger.ts';

it('a query that is compiled once has its own constants and the values of each call, also in a transaction', async () => {
  const { db, close } = await connect<Tables>({ url: await newDatabase() }, recordingLogger().logger);
  const build = jest.fn((one: typeof db, first: string, at: Date) =>
    one
      .selectNoFrom([
        sql<string>`${at}::timestamptz - ${at}::timestamptz = '0'`.as('isSame'),
        sql<string>`${first}::text`.as('first'),
        sql<string>`${'constant'}::text`.as('constant'),
        sql<Date>`${at}::timestamptz`.as('at'),
      ])
      .compile(),
  );
  const query = compiledOnce(build);
  const times = [new Date(0), new Date(1_000)] as const;
  const results = [
    await query(db, 'a', times[0]),
    await db.transaction().execute((trx) => query(trx, '', times[1])),
  ];
  await close();
  expect(results.flatMap(({ rows }) => rows)).toEqual([
    { isSame: true, first: 'a', constant: 'constant', at: times[0] },
    { isSame: true, first: '', constant: 'constant', at: times[1] },
  ]);
  expect(build).toHaveBeenCalledTimes(1);
});

it('lists of any length are one prepared statement', async () => {
  const { db, close } = await connect<Tables>({ url: await newDatabase() }, recordingLogger().logger);
  for (const ids of [[], ['a'], ['a', 'b']])
    await db.selectFrom('sessions').select('id').where('id', '=', anyOf(ids)).execute();
  // The pool has made one connection.
  const { rows } = await sql`select from pg_prepared_statements`.execute(db);
  await close();
  expect(rows).toHaveLength(1);
});
