import { recordingRefusal } from '../platform/audit/refusals.ts';
import type { Capability } from '../capability.ts';
import { sessionBearer } from '../session/readBearer.ts';
import * as migration from './0029_confirmations.ts';
import { listEvidence, type Evidence } from './evidence.ts';
import { confirmationTexts } from './confirmations.messages.ts';
import { addConfirmationCommands } from './commands.ts';
import { askForConfirmation, endExpired, readConfirmation, readReceipt } from './confirmations.ts';
import { confirmationSettings } from './settings.ts';
import { confirmByCode, confirmByPasskey, decline, startByPasskey, textCode } from './decide.ts';

declare module '../platform/audit/audit.ts' {
  interface AuditEvents {
    'payment-confirmed': EventKinds;
    'payment-declined': EventKinds;
    'payment-failed': EventKinds;
  }
}

declare module '../platform/directory.ts' {
  interface PersonExport {
    readonly confirmations: Rows;
  }
  interface Directory {
    /** The confirmations of an account, or of all, oldest first. Throws for an unknown username. */
    readonly confirmations: (username?: string) => Promise<readonly Evidence[]>;
  }
}

/** Payments that a user confirms, each with a proof that is bound to amount and payee. */
export const confirmations: Capability = {
  name: 'confirmations',
  permissions: ['payment'],
  operations: {
    askForConfirmation: (context, { client, body, headers }) =>
      askForConfirmation(context, client, body, headers['idempotency-key']),
    getConfirmationReceipt: (context, { client, params }) => readReceipt(context, client, params.id),
    getConfirmation: (context, { bearer, params }) =>
      readConfirmation(context, sessionBearer(bearer), params.id),
    startConfirmationByPasskey: (context, { bearer, params }) =>
      startByPasskey(context, sessionBearer(bearer), params.id),
    confirmByPasskey: (context, { bearer, params, body }) =>
      recordingRefusal(context, { event: 'payment-confirmed', method: 'passkey', uid: bearer.uid }, () =>
        confirmByPasskey(context, sessionBearer(bearer), params.id, body),
      ),
    textConfirmationCode: (context, { bearer, params }) =>
      textCode(context, sessionBearer(bearer), params.id),
    confirmByCode: (context, { bearer, params, body }) =>
      recordingRefusal(context, { event: 'payment-confirmed', method: 'text', uid: bearer.uid }, () =>
        confirmByCode(context, sessionBearer(bearer), params.id, body.code),
      ),
    declineConfirmation: (context, { bearer, params }) => decline(context, sessionBearer(bearer), params.id),
  },
  migrations: { '0029_confirmations': migration },
  verdicts: ['code_wrong', 'passkey_refused'],
  auditEvents: {
    'payment-confirmed': { activity: 'payment-confirmed' },
    'payment-declined': { activity: 'payment-declined' },
    'payment-failed': { notice: 'payment-failed' },
  },
  directory: ({ db, settings }, uidOf) => ({
    confirmations: async (username) =>
      listEvidence(db, username === undefined ? null : await uidOf(username), settings.now()),
  }),
  settings: confirmationSettings,
  cleanUp: async ({ db, settings: { now, confirmationDays } }) => {
    await endExpired(db, now());
    const oldest = new Date(now() - confirmationDays * 86_400_000);
    await db.deleteFrom('confirmations').where('created_at', '<', oldest).execute();
  },
  commands: addConfirmationCommands,
  noticeTexts: { 'payment-failed': confirmationTexts.failed },
  exportPerson: async (db, { uid }) => ({
    confirmations: await db
      .selectFrom('confirmations')
      .select(['id', 'client_name as application', 'details', 'state', 'method', 'receipt', 'proof'])
      .select(['created_at as createdAt', 'decided_at as decidedAt'])
      .where('uid', '=', uid)
      .execute(),
  }),
};
