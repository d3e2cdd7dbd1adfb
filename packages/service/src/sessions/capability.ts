import type { SessionsResponse, TrustedDevicesResponse } from '@vestibule/contract/schema';
import type { Command } from 'commander';
import type { ServiceContext } from '../core/context.ts';
import type { ServiceSettings } from '../core/settings/options.ts';
import type { Capability, CommandTools } from '../capability.ts';
import { sessionBearer } from '../session/readBearer.ts';
import { sessionsEvents } from './events.ts';
import { listActivity } from './activity.ts';
import { forgetTrustedDevices, listTrustedDevices } from './devices.ts';
import { endSessions, listSessions } from './sessionList.ts';

/** What sessions add to the directory. */
export interface SessionObjects {
  /** The sessions and trusted devices of accounts, for administrators. */
  readonly sessions: {
    /** The sessions of an account, newest first. This and the next two throw for an unknown username. */
    readonly of: (username: string) => Promise<SessionsResponse['sessions']>;
    /** The devices on which the user needs no second step, newest first. */
    readonly trustedDevices: (username: string) => Promise<TrustedDevicesResponse['devices']>;
    /** Stops trusting these devices. Other ids are ignored. */
    readonly forgetDevices: (username: string, ids: readonly string[]) => Promise<void>;
  };
}

/** Shows users where they are signed in, which devices they trust, and what happened to their account. */
export const sessions = {
  name: 'sessions',
  init: { isOn: true, summary: 'users see their devices and their activity' },
  operations: {
    listSessions: (context, { bearer }) => {
      const { uid, sessionId } = sessionBearer(bearer);
      return listSessions(context, uid, sessionId);
    },
    endSessions: (context, { body, bearer }) => endSessions(context, sessionBearer(bearer), body),
    listTrustedDevices: (context, { bearer }) => listTrustedDevices(context, bearer),
    forgetTrustedDevices: (context, { body, bearer }) => forgetTrustedDevices(context, bearer, body),
    listActivity: (context, { query, bearer }) => listActivity(context, bearer.uid, query.before),
  },
  auditEvents: sessionsEvents,
  accountChanges: [{ what: 'sessions', tables: ['trusted_devices'] }],
  directory: (context, uidOf): SessionObjects => ({
    sessions: {
      of: async (username) => (await listSessions(context, await uidOf(username))).sessions,
      trustedDevices: async (username) =>
        (await listTrustedDevices(context, { uid: await uidOf(username) })).devices,
      forgetDevices: async (username, ids) => {
        await forgetTrustedDevices(context, { uid: await uidOf(username) }, { ids });
      },
    },
  }),
  accountCommands: addSessionCommands,
} satisfies Capability<ServiceContext, SessionObjects>;

function addSessionCommands(
  accounts: Command,
  { find, list, print, withDirectory }: CommandTools<ServiceSettings, SessionObjects>,
): void {
  list(accounts, 'sessions', 'print where the user is signed in', (directory, username) =>
    directory.sessions.of(username),
  );
  list(
    accounts,
    'trusted-devices',
    'print the devices on which the user needs no second step',
    (directory, username) => directory.sessions.trustedDevices(username),
  );
  accounts
    .command('forget-devices')
    .description('stop trusting devices, so that the next sign-in there needs the second step')
    .argument('<name>', 'the username, or the uid')
    .argument('<ids...>', 'of `accounts trusted-devices`')
    .action((name: string, ids: readonly string[]) =>
      withDirectory(async (directory) => {
        const { username } = await find(directory.accounts, name);
        await directory.sessions.forgetDevices(username, ids);
        print({ devicesForgotten: username });
      }),
    );
}
