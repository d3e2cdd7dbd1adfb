import type { Capability } from '../capability.ts';
import { databaseTime } from '../platform/database/databaseTime.ts';
import { CommandError } from '../platform/commandError.ts';
import { noSuchCall } from '../platform/errors.ts';
import { recordingRefusal } from '../core/audit/refusals.ts';
import { sessionBearer } from '../session/readBearer.ts';
import type { OpenIdContext } from './context.ts';
import { openIdTables, type RefusedRequest } from './tables.ts';
import { openIdEvents } from './events.ts';
import * as migration from './0028_openid.ts';
import * as refusals from './0036_openid_refusals.ts';
import * as sessionsMigration from './0038_openid_sessions.ts';
import {
  connectedApplications,
  disconnectApplication,
  endUnentitled,
  listApplications,
} from './applications.ts';
import { logoutPost, watchSessions } from './backChannel.ts';
import { openIdFindings } from './doctor.ts';
import { checkClient, createOpenId, openIdRoutes, reuseAudit } from './endpoints.ts';
import { answerOpenIdRequest, getOpenIdRequest, sendOpenIdCode } from './requests.ts';
import { forgetRefusals, latestRefusals } from './refusals.ts';
import { openIdSettings } from './settings.ts';

/** The requests that OpenID Connect refused, for administrators. */
export interface OpenIdDirectory {
  /** Why requests of a client were refused, newest first. @throws CommandError for an unknown client. */
  readonly refusalsOf: (client: string) => Promise<readonly RefusedRequest[]>;
}

/** Other applications sign in by OpenID Connect, with the session of the family. */
export const openId = {
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
      recordingRefusal(offered(context), { event: openIdEvents['openid-consent'], uid: bearer.uid }, (own) =>
        answerOpenIdRequest(own, sessionBearer(bearer), params.id, body),
      ),
    sendOpenIdCode: (context, { bearer, params, body }) =>
      sendOpenIdCode(offered(context), sessionBearer(bearer), params.id, body.authVerificationToken),
    listOpenIdApplications: (context, { bearer }) =>
      listApplications(offered(context), sessionBearer(bearer)),
    disconnectOpenIdApplication: (context, { bearer, params }) =>
      recordingRefusal(
        offered(context),
        { event: openIdEvents['openid-disconnect'], uid: bearer.uid },
        (own) => disconnectApplication(own, sessionBearer(bearer), params.id),
      ),
  },
  migrations: {
    '0028_openid': migration,
    '0036_openid_refusals': refusals,
    '0038_openid_sessions': sessionsMigration,
  },
  auditEvents: openIdEvents,
  routes: ({ openid }) => openIdRoutes(openid !== undefined),
  posts: [logoutPost],
  works: [reuseAudit],
  work: watchSessions,
  decorate: ({ contextLater }) => Promise.resolve({ openId: createOpenId(contextLater) }),
  accountWritten: endUnentitled,
  checkClient,
  clientRemoved: async ({ db }, id) => {
    // The end of several sessions locks their connections in any order, so that waiting could be a deadlock. What others lock now ends by itself.
    const free = openIdTables(db)
      .selectFrom('openid_artifacts')
      .select('id_hash')
      .where('client_id', '=', id)
      .forUpdate()
      .skipLocked();
    await openIdTables(db).deleteFrom('openid_artifacts').where('id_hash', 'in', free).execute();
    await openIdTables(db).deleteFrom('openid_refusals').where('client_id', '=', id).execute();
  },
  cleanUp: async (context) => {
    const { db, settings } = context;
    if (settings.openid === undefined) return;
    await forgetRefusals(context);
    await openIdTables(db)
      .deleteFrom('openid_artifacts')
      .where('expires_at', '<', databaseTime(settings.now))
      // A connection is removed when its application hears of the end.
      .where('model', '!=', 'Connection')
      .execute();
  },
  settings: openIdSettings,
  directory: ({ db, clients }) => ({
    openid: {
      refusalsOf: async (client) => {
        if ((await clients.find(client)) === null) throw new CommandError(`There is no client '${client}'.`);
        return latestRefusals(db, client);
      },
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
          for (const refusal of await directory.openid.refusalsOf(id)) print(refusal);
        }),
      );
  },
  doctor: { service: openIdFindings },
  exportPerson: async (db, { uid }) => ({
    openidArtifacts: await openIdTables(db)
      .selectFrom('openid_artifacts')
      .select(['model as kind', 'client_id as client', 'expires_at as expiresAt'])
      .where('uid', '=', uid)
      .execute(),
    openidApplications: (await connectedApplications(db, uid, new Date())).map(
      ({ clientId: client, scopes, connectedAt }) => ({ client, scopes, connectedAt }),
    ),
  }),
} satisfies Capability<OpenIdContext, { readonly openid: OpenIdDirectory }>;

/** @throws ServiceError 404 without the setting. */
function offered<Context extends OpenIdContext>(context: Context): Context {
  if (context.settings.openid === undefined) throw noSuchCall();
  return context;
}
