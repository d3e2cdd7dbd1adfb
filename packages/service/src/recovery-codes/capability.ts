import { mfaEvents } from '../mfa/events.ts';
import { recordingRefusal } from '../core/audit/refusals.ts';
import type { Capability } from '../capability.ts';
import { sessionBearer } from '../session/readBearer.ts';
import { recoveryTables } from './tables.ts';
import { recoveryEvents } from './events.ts';
import * as migration from './0023_recovery_codes.ts';
import { recoveryCodesPart } from './accountFile.ts';
import { countRecoveryCodes, makeRecoveryCodes, useRecoveryCode } from './recoveryCodes.ts';
import { recoveryTexts } from './recoveryCodes.messages.ts';

/** Ten codes, each of which replaces a code of the second step once. */
export const recoveryCodes = {
  name: 'recovery-codes',
  init: { isOn: true, summary: 'ten codes for a lost phone' },
  operations: {
    getRecoveryCodes: (context, { bearer }) => countRecoveryCodes(context, sessionBearer(bearer)),
    makeRecoveryCodes: (context, { body, bearer }) =>
      recordingRefusal(context, { event: recoveryEvents['recovery-codes-made'], uid: bearer.uid }, () =>
        makeRecoveryCodes(context, sessionBearer(bearer), body),
      ),
    useRecoveryCode: (context, { body }) =>
      recordingRefusal(
        context,
        { event: mfaEvents['second-step'], method: 'recovery-code', username: body.username },
        () => useRecoveryCode(context, body),
      ),
  },
  migrations: { '0023_recovery_codes': migration },
  auditEvents: recoveryEvents,
  noticeTexts: { 'recovery-codes-made': recoveryTexts.made, 'recovery-code-used': recoveryTexts.used },
  accountChanges: [{ what: 'recovery-codes', tables: ['recovery_codes'] }],
  afterDenial: async ({ db }, uid) => {
    await recoveryTables(db).deleteFrom('recovery_codes').where('uid', '=', uid).execute();
  },
  accountPart: recoveryCodesPart,
  exportPerson: async (db, { uid }) => ({
    recoveryCodes: await recoveryTables(db)
      .selectFrom('recovery_codes')
      .select('created_at as createdAt')
      .where('uid', '=', uid)
      .execute(),
  }),
} satisfies Capability;
