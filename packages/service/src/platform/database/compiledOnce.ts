import type { CompiledQuery, Kysely, QueryResult } from 'kysely';

/**
 * A query of which only values change, built and compiled once, because building costs more than sending. For queries
 * of every call.
 *
 * @param build may use its arguments as values of the query only: it is called once, with placeholders.
 * @returns runs the query; `db` may be a transaction.
 */
export function compiledOnce<Tables, Values extends readonly (string | Date | null)[], Row>(
  build: (db: Kysely<Tables>, ...values: Values) => CompiledQuery<Row>,
): (db: Kysely<Tables>, ...values: Values) => Promise<QueryResult<Row>> {
  let known: { readonly query: CompiledQuery<Row>; readonly places: readonly number[] } | undefined;
  return (db, ...values) => {
    known ??= compile(db, values.length);
    const { query, places } = known;
    const parameters = query.parameters.map((constant, index) => {
      const value = values[places[index] ?? -1];
      return value === undefined ? constant : value;
    });
    return db.executeQuery<Row>({ ...query, parameters });
  };

  function compile(db: Kysely<Tables>, count: number): NonNullable<typeof known> {
    const marks = Array.from({ length: count }, () => Symbol('value'));
    const query = build(db, ...(marks as unknown as Values));
    return { query, places: query.parameters.map((parameter) => marks.indexOf(parameter as symbol)) };
  }
}
