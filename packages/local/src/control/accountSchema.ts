import * as v from 'valibot';
import type { AccountInput } from '@vestibule/service';
import { account } from '../accounts.ts';

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

/**
 * An account as a test gives it: the directory's own input, with `lastReset` in ISO 8601. What is left out is that of a ready-made
 * account: its password, no second step.
 */
export const accountSchema = v.pipe(
  v.strictObject({
    username: v.string(),
    email: v.exactOptional(v.string()),
    firstName: v.optional(v.string(), ''),
    lastName: v.optional(v.string(), ''),
    password: v.exactOptional(v.nullable(v.string())),
    methods: v.exactOptional(v.array(method)),
    personas: v.record(v.string(), v.array(v.strictObject({ applicationUrl: v.string() }))),
    mfa: v.exactOptional(v.nullable(mfa)),
    mustSetUpMfa: v.exactOptional(v.boolean()),
    lastReset: v.exactOptional(
      v.nullable(
        v.pipe(
          v.string(),
          v.isoTimestamp(),
          v.transform((text) => new Date(text)),
        ),
      ),
    ),
  }),
  v.transform(({ username, personas, ...rest }): AccountInput => account(username, personas, rest)),
);

/** What `POST /accounts` takes. */
export type AccountOverHttp = v.InferInput<typeof accountSchema>;
