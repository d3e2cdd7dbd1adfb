import { sql, type RawBuilder } from 'kysely';

/** To compare with: `where('id', '=', anyOf(ids))`. An array parameter keeps it one prepared statement for any number of values. */
export function anyOf<Value extends string>(values: readonly Value[]): RawBuilder<Value> {
  return sql<Value>`any(${values})`;
}
