import * as v from 'valibot';

const flag = v.exactOptional(v.boolean());
const filled = (what: string) => v.pipe(v.string(), v.regex(/\S/, `Say ${what}: it must not be blank.`));
const username = filled('whose link it is');
const address = v.exactOptional(filled('where to mail it'));

/** What `POST /links` takes. `magic` gives the form's link as a magic link; `mail` also puts it into the outbox. */
export const linkRequestSchema = v.variant('kind', [
  /** An account that does not exist is created first, for the Ledger, with the username as its e-mail. */
  v.strictObject({ kind: v.literal('invitation'), username, magic: flag, mail: flag }),
  v.strictObject({
    kind: v.literal('api-invitation'),
    name: filled('what the key is for'),
    magic: flag,
    mailTo: address,
  }),
  v.strictObject({ kind: v.literal('reset'), username, magic: flag, mail: flag }),
  v.strictObject({
    kind: v.literal('magic'),
    username,
    /** Persona group: `ledger`, `supplierHub`. */
    application: filled('which application it leads to'),
    redirectUrl: v.exactOptional(v.string()),
    mail: flag,
  }),
]);

/** A link that is asked for. */
export type LinkRequest = v.InferInput<typeof linkRequestSchema>;

/** The response; `expiresAt` in ISO 8601. `url` is a short link for every magic one. */
export const linkOverHttpSchema = v.object({ id: v.string(), url: v.string(), expiresAt: v.string() });

/** A link as it is sent. */
export type LinkOverHttp = v.InferOutput<typeof linkOverHttpSchema>;
