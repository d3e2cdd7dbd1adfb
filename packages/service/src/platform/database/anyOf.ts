import { sql, type RawBuilder } from 'kysely';

/**
 * The operand of `where('id', '=', anyOf(ids))`. As an array parameter it needs only one prepared statement for any number of
 * values.
 */
export function anyOf<Value extends string>(values: readonly Value[]): RawBuilder<Value> {
  return sql<Value>`any(${values})`;
}
