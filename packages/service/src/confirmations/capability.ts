import type { Capability } from '../capability.ts';
import { databaseTime } from '../platform/database/databaseTime.ts';
import { sessionBearer } from '../session/readBearer.ts';
import type { PaymentContext } from './settings.ts';
import { paymentTables } from './tables.ts';
import { paymentEvents } from './events.ts';
import * as migration from './0029_confirmations.ts';
import * as proofs from './0031_confirmation_proofs.ts';
import * as failures from './0033_payment_failures.ts';
import * as elements from './0035_payment_elements.ts';
import { showPayments } from './activity.ts';
import { confirmsFrom, denyElementsSince, noteElements, noteMail } from './elements.ts';
import { listEvidence, separateEvidence } from './evidence.ts';
import { elementFindings } from './doctor.ts';
import { confirmationTexts } from './confirmations.messages.ts';
import { addConfirmationCommands, type ConfirmationObjects } from './commands.ts';
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
import { eventPost, watchExpiry } from './ends.ts';
import { forgetFailures } from './methodBlock.ts';
import { listWaiting, permitByCode, permitByPasskey, startPermission, textPermission } from './permit.ts';

/** Payments that a user confirms, each with a proof that is bound to amount and payee. */
export const confirmations = {
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
  auditEvents: paymentEvents,
  activityDetails: showPayments,
  posts: [eventPost],
  work: watchExpiry,
  beforeErasure: separateEvidence,
  directory: (context, uidOf): ConfirmationObjects => ({
    confirmations: {
      list: async (owner) => {
        if (owner === undefined) return listEvidence(context, {});
        const ofErased = await listEvidence(context, { pseudonym: owner });
        return ofErased.length > 0 ? ofErased : listEvidence(context, { uid: await uidOf(owner) });
      },
    },
  }),
  settings: confirmationSettings,
  cleanUp: async (context) => {
    const { db, settings } = context;
    const { now, confirmationDays } = settings;
    await forgetFailures(context);
    const oldest = databaseTime(now, confirmationDays * 86_400_000);
    await paymentTables(db).deleteFrom('confirmations').where('created_at', '<', oldest).execute();
  },
  snapshot: async (db) => {
    const rows = await paymentTables(db).selectFrom('payment_elements').selectAll().execute();
    return async (trx) => {
      // An insert without rows is invalid SQL.
      if (rows.length > 0) await paymentTables(trx).insertInto('payment_elements').values(rows).execute();
    };
  },
  commands: addConfirmationCommands,
  doctor: { machines: elementFindings },
  noticeTexts: {
    'payment-failed': confirmationTexts.failed,
    'payment-method-blocked': confirmationTexts.blocked,
  },
  exportPerson: async (db, { uid }) => ({
    confirmations: await paymentTables(db)
      .selectFrom('confirmations')
      .select(['id', 'client_name as application', 'details', 'state', 'method', 'receipt', 'proof', 'event'])
      .select(['texted', 'identity'])
      .select(['created_at as createdAt', 'decided_at as decidedAt'])
      .where('uid', '=', uid)
      .execute(),
    paymentElements: await paymentTables(db)
      .selectFrom('payment_elements')
      .select(['element', 'added_at as addedAt', 'added_by as addedBy', 'permitted_at as permittedAt'])
      .where('uid', '=', uid)
      .execute(),
    paymentFailures: await paymentTables(db)
      .selectFrom('payment_failures')
      .select(['method', 'failures', 'blocks', 'blocked_until as blockedUntil', 'counted_at as countedAt'])
      .where('uid', '=', uid)
      .execute(),
  }),
} satisfies Capability<PaymentContext, ConfirmationObjects>;
