import type { Capability } from '../capability.ts';
import { databaseTime } from '../platform/database/databaseTime.ts';
import { sessionBearer } from '../session/readBearer.ts';
import * as migration from './0029_confirmations.ts';
import * as proofs from './0031_confirmation_proofs.ts';
import * as failures from './0033_payment_failures.ts';
import * as elements from './0035_payment_elements.ts';
import { showPayments } from './activity.ts';
import { confirmsFrom, denyElementsSince, noteElements, noteMail } from './elements.ts';
import { listEvidence, separateEvidence, type Evidence } from './evidence.ts';
import { elementFindings } from './doctor.ts';
import { confirmationTexts } from './confirmations.messages.ts';
import { addConfirmationCommands } from './commands.ts';
import { askForConfirmation, readConfirmation, readReceipt } from './confirmations.ts';
import { confirmationSettings } from './settings.ts';
import {
  confirmByCode,
  confirmByPasskey,
  decline,
  proveIdentity,
  startByPasskey,
  textCode,
} from './decide.ts';
import { postEvent, watchExpiry } from './ends.ts';
import { forgetFailures } from './methodBlock.ts';
import { listWaiting, permitByCode, permitByPasskey, startPermission, textPermission } from './permit.ts';

declare module '../core/audit/audit.ts' {
  interface AuditEvents {
    'payment-asked': EventKinds;
    /** A text message with a code. */
    'payment-sent': EventKinds;
    /** A failure is a wrong code, or a passkey that was refused. */
    'payment-confirmed': EventKinds;
    'payment-declined': EventKinds;
    'payment-failed': EventKinds;
    /** `method` is that of the element that permitted it. */
    'payment-element-permitted': EventKinds;
    'payment-expired': EventKinds;
    'payment-method-blocked': EventKinds;
  }
}

declare module '../core/directory.ts' {
  interface PersonExport {
    readonly confirmations: Rows;
    readonly paymentElements: Rows;
    /** Failures in a row, by method. */
    readonly paymentFailures: Rows;
  }
  interface Directory {
    /** The evidence of an account, of the pseudonym of an erased one, or of all, oldest first. Throws for an unknown username. */
    readonly confirmations: (owner?: string) => Promise<readonly Evidence[]>;
  }
}

/** Payments that a user confirms, each with a proof that is bound to amount and payee. */
export const confirmations: Capability = {
  name: 'confirmations',
  init: { summary: 'users confirm payments of applications; with service.clients' },
  permissions: ['payment'],
  operations: {
    askForConfirmation: (context, { client, body, headers }) =>
      askForConfirmation(context, client, body, headers['idempotency-key']),
    getConfirmationReceipt: (context, { client, params }) => readReceipt(context, client, params.id),
    getConfirmation: (context, { bearer, params }) =>
      readConfirmation(context, sessionBearer(bearer), params.id),
    startConfirmationByPasskey: (context, { bearer, params }) =>
      startByPasskey(context, sessionBearer(bearer), params.id),
    proveIdentityForConfirmation: (context, { bearer, params, body }) =>
      proveIdentity(context, sessionBearer(bearer), params.id, body),
    confirmByPasskey: (context, { bearer, params, body }) =>
      confirmByPasskey(context, sessionBearer(bearer), params.id, body),
    textConfirmationCode: (context, { bearer, params }) =>
      textCode(context, sessionBearer(bearer), params.id),
    confirmByCode: (context, { bearer, params, body }) =>
      confirmByCode(context, sessionBearer(bearer), params.id, body.code),
    declineConfirmation: (context, { bearer, params }) => decline(context, sessionBearer(bearer), params.id),
    listPaymentElements: (context, { bearer }) => listWaiting(context, sessionBearer(bearer)),
    startPermissionByPasskey: (context, { bearer, body }) =>
      startPermission(context, sessionBearer(bearer), body),
    permitByPasskey: (context, { bearer, body }) => permitByPasskey(context, sessionBearer(bearer), body),
    textPermissionCode: (context, { bearer, body }) => textPermission(context, sessionBearer(bearer), body),
    permitByCode: (context, { bearer, body }) => permitByCode(context, sessionBearer(bearer), body),
  },
  migrations: {
    '0029_confirmations': migration,
    '0031_confirmation_proofs': proofs,
    '0033_payment_failures': failures,
    '0035_payment_elements': elements,
  },
  elementsAdded: noteElements,
  mailSent: noteMail,
  keyAttributes: confirmsFrom,
  afterDenial: denyElementsSince,
  auditEvents: {
    'payment-asked': {},
    'payment-sent': {},
    'payment-confirmed': { activity: 'payment-confirmed' },
    'payment-declined': { activity: 'payment-declined' },
    'payment-failed': { notice: 'payment-failed' },
    'payment-element-permitted': {},
    'payment-expired': {},
    'payment-method-blocked': { notice: 'payment-method-blocked' },
  },
  activityDetails: showPayments,
  posts: { 'confirmation-event': postEvent },
  work: watchExpiry,
  beforeErasure: separateEvidence,
  directory: (context, uidOf) => ({
    confirmations: async (owner) => {
      if (owner === undefined) return listEvidence(context, {});
      const ofErased = await listEvidence(context, { pseudonym: owner });
      return ofErased.length > 0 ? ofErased : listEvidence(context, { uid: await uidOf(owner) });
    },
  }),
  settings: confirmationSettings,
  cleanUp: async (context) => {
    const { db, settings } = context;
    const { now, confirmationDays } = settings;
    await forgetFailures(context);
    const oldest = databaseTime(now, confirmationDays * 86_400_000);
    await db.deleteFrom('confirmations').where('created_at', '<', oldest).execute();
  },
  snapshot: async (db) => {
    const rows = await db.selectFrom('payment_elements').selectAll().execute();
    return async (trx) => {
      // An insert without rows is invalid SQL.
      if (rows.length > 0) await trx.insertInto('payment_elements').values(rows).execute();
    };
  },
  commands: addConfirmationCommands,
  doctor: { machines: elementFindings },
  noticeTexts: {
    'payment-failed': confirmationTexts.failed,
    'payment-method-blocked': confirmationTexts.blocked,
  },
  exportPerson: async (db, { uid }) => ({
    confirmations: await db
      .selectFrom('confirmations')
      .select(['id', 'client_name as application', 'details', 'state', 'method', 'receipt', 'proof', 'event'])
      .select(['texted', 'identity'])
      .select(['created_at as createdAt', 'decided_at as decidedAt'])
      .where('uid', '=', uid)
      .execute(),
    paymentElements: await db
      .selectFrom('payment_elements')
      .select(['element', 'added_at as addedAt', 'added_by as addedBy', 'permitted_at as permittedAt'])
      .where('uid', '=', uid)
      .execute(),
    paymentFailures: await db
      .selectFrom('payment_failures')
      .select(['method', 'failures', 'blocks', 'blocked_until as blockedUntil', 'counted_at as countedAt'])
      .where('uid', '=', uid)
      .execute(),
  }),
};
