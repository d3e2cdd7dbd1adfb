/*
 * Readers of what comes from outside before the first call: the configuration block, cookies, `history.state`. The answers of
 * the service are read with valibot, in the chunk of the calls: `/login` opens without its 2.5 kB (brotli).
 */

/** Takes a value for what the application knows it as, or throws a {@link Refusal} that names the key. */
export type Read<T> = (value: unknown, key: string) => T;

/** What is wrong with a value, and where: the dotted key, `''` for the whole. */
export class Refusal extends Error {
  constructor(
    readonly key: string,
    readonly fault: string,
  ) {
    super(fault);
  }
}

/** A value as it is, if it passes. A value that is not there is `missing`, for every reader. */
export function read<T>(fault: string, passes: (value: unknown) => boolean): Read<T> {
  return (value, key) => {
    if (passes(value)) return value as T;
    throw new Refusal(key, value === undefined ? 'missing' : fault);
  };
}

export const text = read<string>('text', (value) => typeof value === 'string');
export const flag = read<boolean>('flag', (value) => value === true || value === false);
/** An object; a list is one, with numbers for keys. */
export const group = read<Readonly<Record<string, unknown>>>('group', isObject);
const entries = read<readonly unknown[]>('list', Array.isArray);

/** One of these texts. */
export const oneOf = <const T extends string>(fault: string, ...texts: readonly T[]): Read<T> =>
  read(fault, (value) => texts.includes(value as T));

/** Each of its entries. */
export const list =
  <T>(entry: Read<T>): Read<readonly T[]> =>
  (value, key) =>
    entries(value, key).map((one, index) => entry(one, join(key, String(index))));

/** The named keys, and no others; a key that is read as `undefined` is left out. */
export const object =
  <T extends object>(fields: { readonly [Key in keyof T]-?: Read<T[Key]> }): Read<T> =>
  (value, key) => {
    const given = group(value, key);
    const found = Object.entries<Read<unknown>>(fields).map(
      ([name, field]) => [name, field(given[name], join(key, name))] as const,
    );
    return Object.fromEntries(found.filter(([, one]) => one !== undefined)) as T;
  };

/** Absent, it is read as `otherwise`. */
export const optional =
  <T, Otherwise>(present: Read<T>, otherwise: Otherwise): Read<T | Otherwise> =>
  (value, key) =>
    value === undefined ? otherwise : present(value, key);

/** As {@link optional}; `null` counts as absent. */
export const nullish =
  <T, Otherwise>(present: Read<T>, otherwise: Otherwise): Read<T | Otherwise> =>
  (value, key) =>
    value === null ? otherwise : optional(present, otherwise)(value, key);

/** What `make` gives, once the value has been read. Throws nothing by itself. */
export function valueOf<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}

const join = (key: string, name: string): string => (key === '' ? name : `${key}.${name}`);

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
