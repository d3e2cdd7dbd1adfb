import * as v from 'valibot';

/** Turns a response of the service into a type of the application. Its type names the part of the contract that it reads. */
export interface Decoder<Contract, Decoded> {
  /** The schema. It gets a text if the response is not JSON. */
  readonly schema: v.GenericSchema<unknown, Decoded>;
  /** Exists for the type checker only, so that the decoder of one call is not used for another. */
  readonly reads?: Contract;
}

/** The type that a decoder returns. */
export type Decoded<D> = D extends Decoder<unknown, infer Answer> ? Readonly<Answer> : never;

export const filled = v.pipe(
  v.string(),
  v.check((text) => text !== ''),
);

export const isoTime =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:[12]\d|0[1-9]|3[01])[T ](?:0\d|1\d|2[0-3])(?::[0-5]\d){2}(?:\.\d{1,9})?(?:Z| ?[+-](?:0\d|1\d|2[0-3])(?::?[0-5]\d)?)$/u;

/** ISO 8601. */
export const time = v.pipe(
  v.string(),
  v.check((text) => isoTime.test(text)),
);

export const unknownOr = v.nullish(v.string(), null);
/** The browser, system and place of an event; each is `null` if unknown. */
export const clientDetails = { browser: unknownOr, system: unknownOr };

/**
 * A schema for responses of the contract. The type checker refuses it when it would reject a response that the contract
 * allows, and when it names a property that the contract does not have: either means that the two have drifted apart.
 */
export function decoderOf<Contract>() {
  return <Schema extends v.GenericSchema>(
    schema: Schema & NoDrift<Schema, Contract>,
  ): Decoder<Contract, v.InferOutput<Schema>> => ({ schema });
}

/** As `decoderOf`, for a part of a response. */
export function partOf<Contract>() {
  return <Schema extends v.GenericSchema>(schema: Schema & NoDrift<Schema, Contract>): Schema => schema;
}

type NoDrift<Schema extends v.GenericSchema, Contract> =
  Writable<Contract> extends v.InferInput<Schema>
    ? [UnknownKeys<v.InferInput<Schema>, Contract>] extends [never]
      ? unknown
      : { readonly notInTheContract: UnknownKeys<v.InferInput<Schema>, Contract> }
    : { readonly refusesWhatTheContractAllows: Contract };

/** The types of valibot are writable and those of the contract are not, which makes no difference for reading. */
type Writable<T> = T extends readonly (infer Entry)[]
  ? Writable<Entry>[]
  : T extends object
    ? { -readonly [Key in keyof T]: Writable<T[Key]> }
    : T;

/** The keys, at any depth, that the schema names and the contract does not have. */
type UnknownKeys<Read, Contract> = Read extends readonly (infer ReadEntry)[]
  ? Contract extends readonly (infer Entry)[]
    ? UnknownKeys<ReadEntry, Entry>
    : never
  : Read extends object
    ? Contract extends object
      ? | Exclude<NamedKeys<Read>, keyof Contract>
        | {
            [Key in NamedKeys<Read> & keyof Contract]: UnknownKeys<Read[Key], Contract[Key]>;
          }[NamedKeys<Read> & keyof Contract]
      : never
    : never;

/** The keys without those of an index signature. */
type NamedKeys<T> = keyof { [Key in keyof T as string extends Key ? never : Key]: never };
