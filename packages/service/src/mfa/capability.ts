import { databaseTime } from '../platform/database/databaseTime.ts';
import { recordingRefusal } from '../core/audit/refusals.ts';
import type { Capability } from '../capability.ts';
import { mfaEvents } from './events.ts';
import { addAuthenticator } from './addAuthenticator.ts';
import { addPhone } from './addPhone.ts';
import { authyInfo } from './factors.ts';
import { closeChallenges } from './openChallenge.ts';
import { revokeTrustedDevices } from './trustedDevices.ts';
import { turnOffMfa } from './turnOff.ts';
import { validateSetup } from './validateSetup.ts';
import { mfaTexts } from './mfa.messages.ts';

/** Two-step verification: enrolment, challenges, trusted devices. */
export const mfa = {
  name: 'mfa',
  operations: {
    validateMfaSetup: (context, { body, bearer }) =>
      recordingRefusal(
        context,
        { event: mfaEvents['two-step-set'], uid: bearer.uid, method: body.mfaRegistering },
        (context) => validateSetup(context, bearer, body),
      ),
    addSmsPhone: (context, { body, bearer }) => addPhone(context, bearer, body),
    addAuthenticator: (context, { body, bearer }) => addAuthenticator(context, bearer, body),
    disableMfa: (context, { body, bearer }) =>
      recordingRefusal(context, { event: mfaEvents['two-step-off'], uid: bearer.uid }, () =>
        turnOffMfa(context, bearer, body),
      ),
    getAuthyInfo: (context, { bearer }) => authyInfo(context, bearer),
  },
  auditEvents: mfaEvents,
  noticeTexts: { 'mfa-changed': mfaTexts.changed, 'phone-changed': mfaTexts.phoneChanged },
  accountChanges: [{ what: 'mfa', tables: ['mfa_factors'] }],
  endAccess: async ({ db }, uid) => {
    await closeChallenges(db, uid);
    await revokeTrustedDevices(db, uid);
  },
  cleanUp: async ({ db, settings }) => {
    const at = databaseTime(settings.now);
    await db.deleteFrom('mfa_enrolments').where('expires_at', '<', at).execute();
    await db.deleteFrom('trusted_devices').where('expires_at', '<', at).execute();
  },
  exportPerson: async (db, { uid }) => ({
    enrolments: await db
      .selectFrom('mfa_enrolments')
      .select(['type', 'phone', 'country_code as countryCode', 'expires_at as expiresAt'])
      .where('uid', '=', uid)
      .execute(),
    trustedDevices: await db
      .selectFrom('trusted_devices')
      .select(['created_at as createdAt', 'expires_at as expiresAt', 'browser', 'system', 'network'])
      .where('uid', '=', uid)
      .execute(),
  }),
} satisfies Capability;
