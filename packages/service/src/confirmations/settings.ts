import * as v from 'valibot';
import type { ServiceSettings } from '../core/settings/options.ts';
import type { ServiceContext } from '../core/context.ts';
import type { SettingsPart } from '../capability.ts';
import { list } from '../platform/settings/variables.ts';

export interface PaymentSettings extends ServiceSettings {
  /** How long confirmations are kept with their proofs, in days. Default five years. */
  readonly confirmationDays: number;
  /**
   * Hours until a new passkey or phone confirms payments, if no other one has permitted it. Default 24; 0: at once, without a mail.
   */
  readonly confirmationEnrolmentHours: number;
  /** Hosts besides its own to which the page may redirect (`redirectHosts` of its configuration). Default none. */
  readonly redirectHosts: readonly string[];
  /** Text messages for payments within an hour, for all users together; for one user 20, but at most a tenth. Default 1000. */
  readonly paymentTextsPerHour: number;
}

export interface PaymentContext extends ServiceContext {
  readonly settings: PaymentSettings;
}

const days = v.pipe(
  v.optional(v.string(), '1826'),
  v.regex(/^[1-9]\d{0,4}$/, 'must be a number of days.'),
  v.transform(Number),
);

const textsPerHour = v.pipe(
  v.optional(v.string(), '1000'),
  v.regex(/^[1-9]\d{0,5}$/, 'must be a number of text messages.'),
  v.transform(Number),
);

const hosts = v.pipe(v.optional(v.string(), ''), list);

const mostHours = 168;
const hours = v.pipe(
  v.optional(v.string(), '24'),
  v.regex(/^\d{1,3}$/, `must be a whole number from 0 to ${mostHours}.`),
  v.transform(Number),
  v.maxValue(mostHours, `must be a whole number from 0 to ${mostHours}.`),
);

export const confirmationSettings: SettingsPart<PaymentSettings> = {
  defaults: {
    confirmationDays: 1826,
    confirmationEnrolmentHours: 24,
    redirectHosts: [],
    paymentTextsPerHour: 1000,
  },
  read: (read) => ({
    confirmationDays: read('CONFIRMATION_DAYS', days),
    confirmationEnrolmentHours: read('CONFIRMATION_ENROLMENT_HOURS', hours),
    redirectHosts: read('REDIRECT_HOSTS', hosts),
    paymentTextsPerHour: read('PAYMENT_TEXTS_PER_HOUR', textsPerHour),
  }),
  deployment: {
    ownKeys: ['service.clients', 'service.confirmations'],
    keys: {
      confirmations: v.optional(
        v.strictObject({
          enrolmentHours: v.optional(
            v.pipe(
              v.number('must be a number'),
              v.integer('must be a whole number'),
              v.minValue(0, 'must not be below 0'),
              v.maxValue(mostHours, `must not be above ${mostHours}`),
            ),
          ),
        }),
      ),
    },
    names: ['CONFIRMATION_ENROLMENT_HOURS', 'REDIRECT_HOSTS'],
    variables: ({ extensions, redirectHosts }, { confirmations }): Readonly<Record<string, string>> => {
      const { enrolmentHours = 24 } = (confirmations ?? {}) as { readonly enrolmentHours?: number };
      return extensions.includes('confirmations')
        ? {
            CONFIRMATION_ENROLMENT_HOURS: String(enrolmentHours),
            REDIRECT_HOSTS: redirectHosts.join(','),
          }
        : {};
    },
  },
};
