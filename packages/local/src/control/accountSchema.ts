import * as v from 'valibot';

const method = v.variant('method', [
  v.strictObject({ method: v.literal('basic') }),
  v.strictObject({ method: v.literal('google') }),
  v.strictObject({
    method: v.literal('microsoft'),
    configuration: v.strictObject({ tenantId: v.string(), clientId: v.string() }),
  }),
]);

const mfa = v.variant('type', [
  v.strictObject({
    type: v.literal('authy'),
    phone: v.string(),
    countryCode: v.picklist(['US', 'GB']),
    authyId: v.string(),
  }),
  v.strictObject({ type: v.literal('mfa'), secret: v.string() }),
]);

/** An account as a test sends it over HTTP: the directory's own input, with `lastReset` in ISO 8601. */
export const accountSchema = v.strictObject({
  username: v.string(),
  email: v.string(),
  firstName: v.string(),
  lastName: v.string(),
  password: v.nullable(v.string()),
  methods: v.array(method),
  personas: v.record(v.string(), v.array(v.strictObject({ applicationUrl: v.string() }))),
  mfa: v.nullable(mfa),
  mustSetUpMfa: v.boolean(),
  lastReset: v.nullable(
    v.pipe(
      v.string(),
      v.isoTimestamp(),
      v.transform((text) => new Date(text)),
    ),
  ),
});

/** What `POST /accounts` takes. */
export type AccountOverHttp = v.InferInput<typeof accountSchema>;
