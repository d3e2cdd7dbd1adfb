import { closest, distance } from 'fastest-levenshtein';
import type * as v from 'valibot';

/** The parts of schemas of objects, and of what contains objects. */
interface Schema {
  readonly type: string;
  readonly entries?: Readonly<Record<string, Schema>>;
  readonly wrapped?: Schema;
  readonly item?: Schema;
  readonly value?: Schema;
  readonly options?: readonly Schema[];
}

/**
 * Finds a key that no schema of an object names, also where the schema ignores it.
 *
 * @returns a sentence with the path of the key and the nearest name; `null` without such a key.
 */
export const describeUnknownKey = (schema: v.GenericSchema, given: unknown): string | null =>
  unknownIn(schema, given, []);

function unknownIn(schema: Schema | undefined, given: unknown, path: readonly string[]): string | null {
  if (schema === undefined || typeof given !== 'object' || given === null) return null;
  if (schema.wrapped !== undefined) return unknownIn(schema.wrapped, given, path);
  if (schema.options !== undefined)
    return unknownIn(
      schema.options.find(({ entries }) => entries !== undefined),
      given,
      path,
    );
  // Others have keys of their own.
  const { entries } = ['object', 'strict_object'].includes(schema.type) ? schema : {};
  for (const [key, value] of Object.entries(given)) {
    const own = [...path, key];
    if (entries !== undefined && !Object.hasOwn(entries, key))
      return `${own.join('.')} is not known${nearest(key, Object.keys(entries))}`;
    const found = unknownIn(entries?.[key] ?? schema.item ?? schema.value, value, own);
    if (found !== null) return found;
  }
  return null;
}

/** The end of a sentence about a name: the known one that was probably meant, if there is one. */
export function nearest(given: string, known: readonly string[]): string {
  if (known.length === 0) return '';
  const name = closest(given, known);
  const changes = distance(given.toLowerCase(), name.toLowerCase());
  return changes > Math.max(1, given.length / 3) ? '' : `: the nearest name is ${name}`;
}
