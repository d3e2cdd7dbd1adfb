import type { PasskeyEntry } from '@vestibule/contract/schema';
import type { Command } from 'commander';
import { recordingRefusal } from '../core/audit/refusals.ts';
import type { Capability, CommandTools } from '../capability.ts';
import { CommandError } from '../platform/commandError.ts';
import { sessionBearer } from '../session/readBearer.ts';
import type { PasskeyContext, PasskeySettings } from './settings.ts';
import { passkeyTables } from './tables.ts';
import { passkeyEvents } from './events.ts';
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

/** What passkeys add to the directory. */
export interface PasskeyObjects {
  /** Management of passkeys, for administrators. */
  readonly passkeys: {
    /** The passkeys of an account, newest first. This and the next one throw for an unknown username. */
    readonly of: (username: string) => Promise<readonly PasskeyEntry[]>;
    /** @returns `false` if the account has no passkey with this id. */
    readonly remove: (username: string, id: string) => Promise<boolean>;
  };
}

/** Keys of a browser or a security key that sign in without a password, and verify the identity. */
export const passkeys = {
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
      recordingRefusal(context, { event: passkeyEvents['passkey-added'], uid: bearer.uid }, () =>
        addPasskey(context, sessionBearer(bearer), body),
      ),
    renamePasskey: (context, { body, bearer }) => renamePasskey(context, sessionBearer(bearer), body),
    removePasskey: (context, { body, bearer }) =>
      recordingRefusal(context, { event: passkeyEvents['passkey-removed'], uid: bearer.uid }, () =>
        removePasskey(context, sessionBearer(bearer), body),
      ),
  },
  migrations: { '0022_passkeys': migration },
  auditEvents: passkeyEvents,
  noticeTexts: { 'passkey-added': passkeyTexts.added, 'passkey-removed': passkeyTexts.removed },
  accountChanges: [{ what: 'passkeys', tables: ['passkeys'] }],
  sessionAttributes: (context, session) => Promise.resolve(offerPasskey(context, session)),
  afterDenial: removePasskeysSince,
  signatures,
  settings: passkeySettings,
  directory: (context, uidOf): PasskeyObjects => ({
    passkeys: {
      of: async (username) => (await passkeysOf(context.db, await uidOf(username))).map(entryOf),
      remove: async (username, id) => removePasskeyOf(context, await uidOf(username), id),
    },
  }),
  accountPart: passkeysPart,
  snapshot: async (db) => {
    const rows = (await passkeyTables(db).selectFrom('passkeys').selectAll().execute()).map(insertable);
    return async (trx) => {
      // An insert without rows is invalid SQL.
      if (rows.length > 0) await passkeyTables(trx).insertInto('passkeys').values(rows).execute();
    };
  },
  accountCommands: addPasskeyCommands,
  doctor: { service: passkeyFindings },
} satisfies Capability<PasskeyContext, PasskeyObjects>;

function addPasskeyCommands(
  accounts: Command,
  { find, list, print, withDirectory }: CommandTools<PasskeySettings, PasskeyObjects>,
): void {
  list(accounts, 'passkeys', 'print the passkeys of the user', (directory, username) =>
    directory.passkeys.of(username),
  );
  accounts
    .command('remove-passkey')
    .description('remove a passkey, for example of a lost device; its owner gets a notice')
    .argument('<name>', 'the username, or the uid')
    .argument('<id>', 'of `accounts passkeys`; after -- if it starts with a hyphen')
    .action((name: string, id: string) =>
      withDirectory(async (directory) => {
        const { username } = await find(directory.accounts, name);
        if (!(await directory.passkeys.remove(username, id)))
          throw new CommandError('The account has no passkey with this id.');
        print({ passkeyRemoved: username });
      }),
    );
}
