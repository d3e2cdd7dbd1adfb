import type { Capability } from '../capability.ts';
import { databaseTime } from '../platform/database/databaseTime.ts';
import type { ServiceContext } from '../core/context.ts';
import { sessionBearer } from '../session/readBearer.ts';
import { onOff } from '../platform/settings/variables.ts';
import * as migration from './0021_notices.ts';
import { knowDevice } from './knowDevice.ts';
import {
  noticeEntry,
  noticeLockout,
  watchChallenge,
  withdrawChallenge,
  writeMissedSecondStep,
} from './mailRequests.ts';
import { answerNotice, closeNotices, getNotice } from './notices.ts';
import { noticeTexts } from './notices.messages.ts';

declare module '../core/audit/audit.ts' {
  interface AuditEvents {
    'notice-answered': EventKinds;
  }
}

declare module '../core/database/tables.ts' {
  interface Tables {
    /** The devices on which users have signed in, by the hash of their token: see `knowDevice.ts`. */
    known_devices: {
      token_hash: string;
      uid: string;
      used_at: Date;
    };
    /** The events that mails have asked users about, by the hash of the link. */
    notices: ClientDetailsColumns & {
      id_hash: string;
      uid: string;
      /** As in `Capability.noticeTexts`. */
      kind: string;
      session_id: string | null;
      created_at: Date;
      expires_at: Date;
      answer: 'confirmed' | 'denied' | null;
    };
  }
}

declare module '../core/directory.ts' {
  interface PersonExport {
    /** Devices on which a sign-in is not mailed. */
    readonly knownDevices: Rows;
    /** The events that mails have asked about. */
    readonly notices: Rows;
  }
}

declare module '../core/settings/options.ts' {
  interface ServiceSettings {
    /** Whether owners get mails about sign-ins on new devices and other events, with a link to `/security-notice`. Default `false`. */
    readonly notices: boolean;
  }
}

/** How long an expired notice is kept and reported as expired, ms. */
const noticeKeptMs = 30 * 86_400_000;
/** How long a device is known after its last sign-in, ms: a day longer than its cookie. */
const deviceKeptMs = 366 * 86_400_000;

/** Mails to the owner of an account about events of the audit log ('Was this you?'), and known devices. */
export const notices: Capability = {
  name: 'notices',
  init: { summary: 'mails about sign-ins and changes; with SMTP_URL_FILE' },
  operations: {
    knowDevice: (context, { body, bearer }) => knowDevice(context, sessionBearer(bearer), body),
    getNotice: (context, { params }) => getNotice(context, params.hash),
    answerNotice: (context, { params, body }) => answerNotice(context, params.hash, body),
  },
  migrations: { '0021_notices': migration },
  auditEvents: { 'notice-answered': {} },
  noticeTexts: { 'second-step-missed': noticeTexts.secondStepMissed },
  notify: (settings) => (settings.notices ? noticeEntry : null),
  mailRequests: {
    lockout: async (context, lockout) => {
      await noticeLockout(context, lockout);
      return [];
    },
    'second-step': async (context, challenge) => {
      await writeMissedSecondStep(context, challenge);
      return [];
    },
  },
  challengeStarted: watchChallenge,
  challengePassed: withdrawChallenge,
  // An attacker, who may be the reason for the reset, may have a known device.
  afterPasswordReset: forgetDevices,
  afterDenial: forgetDevices,
  afterEmailChange: ({ db }, uid) => closeNotices(db, uid),
  cleanUp: async ({ db, settings: { now } }) => {
    await db.deleteFrom('notices').where('expires_at', '<', databaseTime(now, noticeKeptMs)).execute();
    await db.deleteFrom('known_devices').where('used_at', '<', databaseTime(now, deviceKeptMs)).execute();
  },
  settings: {
    defaults: { notices: false },
    read: (read) => ({ notices: read('NOTICES', onOff) }),
    deployment: {
      names: [],
      variables: ({ extensions }): Readonly<Record<string, string>> =>
        extensions.includes('notices') ? { NOTICES: 'on' } : {},
    },
  },
  exportPerson: async (db, { uid }) => ({
    knownDevices: await db
      .selectFrom('known_devices')
      .select('used_at as usedAt')
      .where('uid', '=', uid)
      .execute(),
    notices: await db
      .selectFrom('notices')
      .select(['kind', 'browser', 'system', 'network', 'created_at as createdAt', 'answer'])
      .where('uid', '=', uid)
      .execute(),
  }),
};

async function forgetDevices({ db }: Pick<ServiceContext, 'db'>, uid: string): Promise<void> {
  await db.deleteFrom('known_devices').where('uid', '=', uid).execute();
}
