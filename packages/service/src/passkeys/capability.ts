export type * from './settings.ts';
export type * from './accountFile.ts';
import type { PasskeyEntry } from '@vestibule/contract/schema';
import type { Command } from 'commander';
import { recordingRefusal } from '../core/audit/refusals.ts';
import type { Capability, CommandTools } from '../capability.ts';
import { CommandError } from '../platform/commandError.ts';
import { sessionBearer } from '../session/readBearer.ts';
import * as migration from './0022_passkeys.ts';
import { passkeysPart } from './accountFile.ts';
import { addPasskey, startPasskeyAddition } from './addPasskey.ts';
import { passkeyFindings } from './doctor.ts';
import { offerPasskey } from './offers.ts';
import {
  entryOf,
  insertable,
  listPasskeys,
  passkeysOf,
  removePasskey,
  removePasskeyOf,
  removePasskeysSince,
  renamePasskey,
} from './passkeys.ts';
import { signatures } from './signatures.ts';
import { passkeySettings } from './settings.ts';
import {
  signInWithPasskey,
  startPasskeySignIn,
  startPasskeyVerification,
  verifyWithPasskey,
} from './usePasskey.ts';
import { passkeyTexts } from './passkeys.messages.ts';

declare module '../core/audit/audit.ts' {
  interface AuditEvents {
    'passkey-added': EventKinds;
    'passkey-renamed': EventKinds;
    'passkey-removed': EventKinds;
  }
}

declare module '../core/directory.ts' {
  interface Directory {
    /** The passkeys of an account, newest first. This and the next one throw for an unknown username. */
    readonly passkeysOf: (username: string) => Promise<readonly PasskeyEntry[]>;
    /** @returns `false` if the account has no passkey with this id. */
    readonly removePasskey: (username: string, id: string) => Promise<boolean>;
  }
}

/** Keys of a browser or a security key that sign in without a password, and verify the identity. */
export const passkeys: Capability = {
  name: 'passkeys',
  init: {
    summary: 'sign-in by fingerprint, face or screen lock; with page.passkeys',
    settings: (loginHost) => ({
      page: `passkeys: { rpId: ${loginHost} } # cannot be changed: every passkey would be lost`,
    }),
  },
  permissions: ['publickey-credentials-create', 'publickey-credentials-get'],
  operations: {
    startPasskeySignIn: (context, { body }) => startPasskeySignIn(context, body),
    signInWithPasskey: (context, { body }) => signInWithPasskey(context, body),
    startPasskeyVerification: (context, { bearer }) =>
      startPasskeyVerification(context, sessionBearer(bearer)),
    verifyWithPasskey: (context, { body, bearer }) => verifyWithPasskey(context, sessionBearer(bearer), body),
    listPasskeys: (context, { bearer }) => listPasskeys(context, bearer),
    startPasskeyAddition: (context, { body, bearer }) =>
      startPasskeyAddition(context, sessionBearer(bearer), body),
    addPasskey: (context, { body, bearer }) =>
      recordingRefusal(context, { event: 'passkey-added', uid: bearer.uid }, () =>
        addPasskey(context, sessionBearer(bearer), body),
      ),
    renamePasskey: (context, { body, bearer }) => renamePasskey(context, sessionBearer(bearer), body),
    removePasskey: (context, { body, bearer }) =>
      recordingRefusal(context, { event: 'passkey-removed', uid: bearer.uid }, () =>
        removePasskey(context, sessionBearer(bearer), body),
      ),
  },
  migrations: { '0022_passkeys': migration },
  auditEvents: {
    'passkey-added': { activity: 'passkey-added', notice: 'passkey-added' },
    'passkey-renamed': {},
    'passkey-removed': { activity: 'passkey-removed', notice: 'passkey-removed' },
  },
  noticeTexts: { 'passkey-added': passkeyTexts.added, 'passkey-removed': passkeyTexts.removed },
  accountChanges: [{ what: 'passkeys', tables: ['passkeys'] }],
  sessionAttributes: (context, session) => Promise.resolve(offerPasskey(context, session)),
  afterDenial: removePasskeysSince,
  signatures,
  settings: passkeySettings,
  directory: (context, uidOf) => ({
    passkeysOf: async (username) => (await passkeysOf(context.db, await uidOf(username))).map(entryOf),
    removePasskey: async (username, id) => removePasskeyOf(context, await uidOf(username), id),
  }),
  accountPart: passkeysPart,
  snapshot: async (db) => {
    const rows = (await db.selectFrom('passkeys').selectAll().execute()).map(insertable);
    return async (trx) => {
      // An insert without rows is invalid SQL.
      if (rows.length > 0) await trx.insertInto('passkeys').values(rows).execute();
    };
  },
  accountCommands: addPasskeyCommands,
  doctor: { service: passkeyFindings },
};

function addPasskeyCommands(accounts: Command, { find, list, print, withDirectory }: CommandTools): void {
  list(accounts, 'passkeys', 'print the passkeys of the user', (directory, username) =>
    directory.passkeysOf(username),
  );
  accounts
    .command('remove-passkey')
    .description('remove a passkey, for example of a lost device; its owner gets a notice')
    .argument('<name>', 'the username, or the uid')
    .argument('<id>', 'of `accounts passkeys`; after -- if it starts with a hyphen')
    .action((name: string, id: string) =>
      withDirectory(async (directory) => {
        const { username } = await find(directory, name);
        if (!(await directory.removePasskey(username, id)))
          throw new CommandError('The account has no passkey with this id.');
        print({ passkeyRemoved: username });
      }),
    );
}
