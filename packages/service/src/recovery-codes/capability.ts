export type * from './accountFile.ts';
import { recordingRefusal } from '../core/audit/refusals.ts';
import type { Capability } from '../capability.ts';
import { sessionBearer } from '../session/readBearer.ts';
import * as migration from './0023_recovery_codes.ts';
import { recoveryCodesPart } from './accountFile.ts';
import { countRecoveryCodes, makeRecoveryCodes, useRecoveryCode } from './recoveryCodes.ts';
import { recoveryTexts } from './recoveryCodes.messages.ts';

declare module '../core/audit/audit.ts' {
  interface AuditEvents {
    'recovery-codes-made': EventKinds;
    'recovery-code-used': EventKinds;
  }
}

declare module '../core/database/tables.ts' {
  interface Tables {
    /** Unused codes only: a used one is removed. */
    recovery_codes: {
      uid: string;
      /** See `hashOfCode`. */
      code_hash: string;
      created_at: Date;
    };
  }
}

declare module '../core/directory.ts' {
  interface PersonExport {
    /** Unused codes. The database has only their hashes. */
    readonly recoveryCodes: Rows;
  }
}

/** Ten codes, each of which replaces a code of the second step once. */
export const recoveryCodes: Capability = {
  name: 'recovery-codes',
  init: { isOn: true, summary: 'ten codes for a lost phone' },
  operations: {
    getRecoveryCodes: (context, { bearer }) => countRecoveryCodes(context, sessionBearer(bearer)),
    makeRecoveryCodes: (context, { body, bearer }) =>
      recordingRefusal(context, { event: 'recovery-codes-made', uid: bearer.uid }, () =>
        makeRecoveryCodes(context, sessionBearer(bearer), body),
      ),
    useRecoveryCode: (context, { body }) =>
      recordingRefusal(
        context,
        { event: 'second-step', method: 'recovery-code', username: body.username },
        () => useRecoveryCode(context, body),
      ),
  },
  migrations: { '0023_recovery_codes': migration },
  auditEvents: {
    'recovery-codes-made': { notice: 'recovery-codes-made' },
    'recovery-code-used': { activity: 'recovery-code-used', notice: 'recovery-code-used' },
  },
  noticeTexts: { 'recovery-codes-made': recoveryTexts.made, 'recovery-code-used': recoveryTexts.used },
  accountChanges: [{ what: 'recovery-codes', tables: ['recovery_codes'] }],
  afterDenial: async ({ db }, uid) => {
    await db.deleteFrom('recovery_codes').where('uid', '=', uid).execute();
  },
  accountPart: recoveryCodesPart,
  exportPerson: async (db, { uid }) => ({
    recoveryCodes: await db
      .selectFrom('recovery_codes')
      .select('created_at as createdAt')
      .where('uid', '=', uid)
      .execute(),
  }),
};
