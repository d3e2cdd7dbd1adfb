import * as v from 'valibot';

/*
 * Each schema below reads one variable of the environment. Its message continues a sentence that starts with the name of the
 * variable.
 */

export const required = v.string('is not set.');
export const text = v.optional(v.string());

export const onOff = v.optional(
  v.pipe(
    v.picklist(['on', 'off'], 'must be on or off.'),
    v.transform((given) => given === 'on'),
  ),
);

export const list = v.transform((value: string) =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
);

export const origin = v.check(
  (value: string) => /^https?:/.test(value) && URL.parse(value)?.origin === value,
  'must hold origins such as https://login.example.com, without a path.',
);

/** Reads one variable of the environment. Throws an error that names it. */
export type ReadVariable = <Schema extends v.GenericSchema>(
  name: string,
  schema: Schema,
) => v.InferOutput<Schema>;
