import type { Capability } from '../capability.ts';
import { databaseTime } from '../platform/database/databaseTime.ts';
import { CommandError } from '../platform/commandError.ts';
import { noSuchCall } from '../platform/errors.ts';
import type { ServiceContext } from '../core/context.ts';
import { recordingRefusal } from '../core/audit/refusals.ts';
import { sessionBearer } from '../session/readBearer.ts';
import * as migration from './0028_openid.ts';
import * as refusals from './0036_openid_refusals.ts';
import * as sessionsMigration from './0038_openid_sessions.ts';
import {
  connectedApplications,
  disconnectApplication,
  endUnentitled,
  listApplications,
} from './applications.ts';
import { postLogoutToken, watchSessions } from './backChannel.ts';
import { openIdFindings } from './doctor.ts';
import { checkClient, createOpenId, openIdRoutes, reuseAudit, type OpenId } from './endpoints.ts';
import { answerOpenIdRequest, getOpenIdRequest, sendOpenIdCode } from './requests.ts';
import { forgetRefusals, latestRefusals, type Refusal } from './refusals.ts';
import { openIdSettings } from './settings.ts';

export type * from './settings.ts';
export type * from './tables.ts';

declare module '../core/audit/audit.ts' {
  interface AuditEvents {
    /** `method` is the client, as in the next three. The reason of a failure is the error code of OAuth. */
    'openid-sign-in': EventKinds;
    /** A client did not prove who it is. `method` is the client, if there is one. */
    'openid-client': EventKinds;
    'openid-consent': EventKinds;
    'openid-disconnect': EventKinds;
    'openid-sign-out': EventKinds;
    /** The account is known for a refresh token only. */
    'openid-token-reuse': EventKinds;
  }
}

declare module '../core/context.ts' {
  interface ServiceContext {
    readonly openId: OpenId;
  }
}

declare module '../core/directory.ts' {
  interface Directory {
    /** Why requests of a client were refused, newest first. @throws CommandError for an unknown client. */
    readonly refusalsOf: (client: string) => Promise<readonly Refusal[]>;
  }
  interface PersonExport {
    /** What applications were given by OpenID Connect, without codes and tokens. */
    readonly openidArtifacts: Rows;
    /** The connected applications, newest first. */
    readonly openidApplications: Rows;
  }
}

/** Other applications sign in by OpenID Connect, with the session of the family. */
export const openId: Capability = {
  name: 'openid',
  init: {
    summary: 'other applications sign in by OpenID Connect; with service.clients',
    settings: (_loginHost, domain) => ({
      service: `clients: # docs/operations.md#clients
  - id: reports
    name: Reports
    url: https://reports.${domain}
    redirectUris: [https://reports.${domain}/callback]
    postLogoutRedirectUris: [https://reports.${domain}/]
    secretFile: secrets/reports`,
    }),
  },
  operations: {
    getOpenIdRequest: (context, { bearer, params }) =>
      getOpenIdRequest(offered(context), sessionBearer(bearer), params.id),
    answerOpenIdRequest: (context, { bearer, params, body }) =>
      recordingRefusal(offered(context), { event: 'openid-consent', uid: bearer.uid }, (own) =>
        answerOpenIdRequest(own, sessionBearer(bearer), params.id, body),
      ),
    sendOpenIdCode: (context, { bearer, params, body }) =>
      sendOpenIdCode(offered(context), sessionBearer(bearer), params.id, body.authVerificationToken),
    listOpenIdApplications: (context, { bearer }) =>
      listApplications(offered(context), sessionBearer(bearer)),
    disconnectOpenIdApplication: (context, { bearer, params }) =>
      recordingRefusal(offered(context), { event: 'openid-disconnect', uid: bearer.uid }, (own) =>
        disconnectApplication(own, sessionBearer(bearer), params.id),
      ),
  },
  migrations: {
    '0028_openid': migration,
    '0036_openid_refusals': refusals,
    '0038_openid_sessions': sessionsMigration,
  },
  auditEvents: {
    'openid-sign-in': { isOfClient: true },
    'openid-client': { isOfClient: true },
    'openid-consent': { isOfClient: true },
    'openid-disconnect': { activity: 'application-disconnected', isOfClient: true },
    'openid-sign-out': { activity: 'session-ended', isOfClient: true },
    'openid-token-reuse': { isOfClient: true },
  },
  routes: ({ openid }) => openIdRoutes(openid !== undefined),
  posts: { 'back-channel-logout': postLogoutToken },
  works: [reuseAudit],
  work: watchSessions,
  decorate: ({ contextLater }) => Promise.resolve({ openId: createOpenId(contextLater) }),
  accountWritten: endUnentitled,
  checkClient,
  clientRemoved: async ({ db }, id) => {
    // The end of several sessions locks their connections in any order, so that waiting could be a deadlock. What others lock now ends by itself.
    const free = db
      .selectFrom('openid_artifacts')
      .select('id_hash')
      .where('client_id', '=', id)
      .forUpdate()
      .skipLocked();
    await db.deleteFrom('openid_artifacts').where('id_hash', 'in', free).execute();
    await db.deleteFrom('openid_refusals').where('client_id', '=', id).execute();
  },
  cleanUp: async ({ db, settings }) => {
    if (settings.openid === undefined) return;
    await forgetRefusals({ db, settings });
    await db
      .deleteFrom('openid_artifacts')
      .where('expires_at', '<', databaseTime(settings.now))
      // A connection is removed when its application hears of the end.
      .where('model', '!=', 'Connection')
      .execute();
  },
  settings: openIdSettings,
  directory: ({ db, clients }) => ({
    refusalsOf: async (client) => {
      if ((await clients.find(client)) === null) throw new CommandError(`There is no client '${client}'.`);
      return latestRefusals(db, client);
    },
  }),
  clientCommands: (clients, { print, withDirectory }) => {
    clients
      .command('log')
      .description(
        'print the latest requests of a client that OpenID Connect refused, newest first, each as a line of JSON',
      )
      .argument('<id>')
      .action((id: string) =>
        withDirectory(async (directory) => {
          for (const refusal of await directory.refusalsOf(id)) print(refusal);
        }),
      );
  },
  doctor: { service: openIdFindings },
  exportPerson: async (db, { uid }) => ({
    openidArtifacts: await db
      .selectFrom('openid_artifacts')
      .select(['model as kind', 'client_id as client', 'expires_at as expiresAt'])
      .where('uid', '=', uid)
      .execute(),
    openidApplications: (await connectedApplications(db, uid, new Date())).map(
      ({ clientId: client, scopes, connectedAt }) => ({ client, scopes, connectedAt }),
    ),
  }),
};

/** @throws ServiceError 404 without the setting. */
function offered<Context extends ServiceContext>(context: Context): Context {
  if (context.settings.openid === undefined) throw noSuchCall();
  return context;
}
