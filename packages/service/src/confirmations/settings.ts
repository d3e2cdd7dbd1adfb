import * as v from 'valibot';
import type { SettingsPart } from '../capability.ts';

declare module '../platform/settings/options.ts' {
  interface ServiceSettings {
    /** How long confirmations are kept with their proofs, in days. Default five years. */
    readonly confirmationDays: number;
  }
}

const days = v.pipe(
  v.optional(v.string(), '1826'),
  v.regex(/^[1-9]\d{0,4}$/, 'must be a number of days.'),
  v.transform(Number),
);

export const confirmationSettings: SettingsPart = {
  defaults: { confirmationDays: 1826 },
  read: (read) => ({ confirmationDays: read('CONFIRMATION_DAYS', days) }),
};
