import type { Compilable, CompiledQuery, Kysely } from 'kysely';
import type { Tables } from './tables.ts';

/**
 * A query of which only values change, built and compiled once, because building costs more than sending. For queries
 * of every call.
 *
 * @param build may use its arguments as values of the query only: it is called once, with placeholders.
 * @returns reads the first row, if there is one; `db` may be a transaction.
 */
export function compiledOnce<Values extends readonly (string | Date)[], Row>(
  build: (db: Kysely<Tables>, ...values: Values) => Compilable<Row>,
): (db: Kysely<Tables>, ...values: Values) => Promise<Row | undefined> {
  let known: { readonly query: CompiledQuery<Row>; readonly places: readonly number[] } | undefined;
  return async (db, ...values) => {
    known ??= compile(db, values.length);
    const { query, places } = known;
    const parameters = query.parameters.map((constant, index) => values[places[index] ?? -1] ?? constant);
    const { rows } = await db.executeQuery<Row>({ ...query, parameters });
    return rows[0];
  };

  function compile(db: Kysely<Tables>, count: number): NonNullable<typeof known> {
    const marks = Array.from({ length: count }, () => Symbol('value'));
    const query = build(db, ...(marks as unknown as Values)).compile();
    return { query, places: query.parameters.map((parameter) => marks.indexOf(parameter as symbol)) };
  }
}
