import type { Capability } from '../capability.ts';
import { databaseTime } from '../platform/database/databaseTime.ts';
import type { ServiceContext } from '../core/context.ts';
import { sessionBearer } from '../session/readBearer.ts';
import { noticeSettings, type NoticeContext } from './settings.ts';
import { noticeTables } from './tables.ts';
import { noticeEvents } from './events.ts';
import * as migration from './0021_notices.ts';
import { knowDevice } from './knowDevice.ts';
import {
  lockoutRequest,
  noticeEntry,
  secondStepRequest,
  watchChallenge,
  withdrawChallenge,
} from './mailRequests.ts';
import { answerNotice, closeNotices, getNotice } from './notices.ts';
import { noticeTexts } from './notices.messages.ts';

/** How long an expired notice is kept and reported as expired, ms. */
const noticeKeptMs = 30 * 86_400_000;
/** How long a device is known after its last sign-in, ms: a day longer than its cookie. */
const deviceKeptMs = 366 * 86_400_000;

/** Mails to the owner of an account about events of the audit log ('Was this you?'), and known devices. */
export const notices = {
  name: 'notices',
  init: { summary: 'mails about sign-ins and changes; with SMTP_URL_FILE' },
  operations: {
    knowDevice: (context, { body, bearer }) => knowDevice(context, sessionBearer(bearer), body),
    getNotice: (context, { params }) => getNotice(context, params.hash),
    answerNotice: (context, { params, body }) => answerNotice(context, params.hash, body),
  },
  migrations: { '0021_notices': migration },
  auditEvents: noticeEvents,
  noticeTexts: { 'second-step-missed': noticeTexts.secondStepMissed },
  notify: (settings) => (settings.notices ? noticeEntry : null),
  mailRequests: [lockoutRequest, secondStepRequest],
  challengeStarted: watchChallenge,
  challengePassed: withdrawChallenge,
  // An attacker, who may be the reason for the reset, may have a known device.
  afterPasswordReset: forgetDevices,
  afterDenial: forgetDevices,
  afterEmailChange: ({ db }, uid) => closeNotices(db, uid),
  cleanUp: async ({ db, settings: { now } }) => {
    await noticeTables(db)
      .deleteFrom('notices')
      .where('expires_at', '<', databaseTime(now, noticeKeptMs))
      .execute();
    await noticeTables(db)
      .deleteFrom('known_devices')
      .where('used_at', '<', databaseTime(now, deviceKeptMs))
      .execute();
  },
  settings: noticeSettings,
  exportPerson: async (db, { uid }) => ({
    knownDevices: await noticeTables(db)
      .selectFrom('known_devices')
      .select('used_at as usedAt')
      .where('uid', '=', uid)
      .execute(),
    notices: await noticeTables(db)
      .selectFrom('notices')
      .select(['kind', 'browser', 'system', 'network', 'created_at as createdAt', 'answer'])
      .where('uid', '=', uid)
      .execute(),
  }),
} satisfies Capability<NoticeContext>;

async function forgetDevices({ db }: ServiceContext, uid: string): Promise<void> {
  await noticeTables(db).deleteFrom('known_devices').where('uid', '=', uid).execute();
}
