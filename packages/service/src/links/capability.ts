import type { ServiceContext } from '../core/context.ts';
import { databaseTime } from '../platform/database/databaseTime.ts';
import { recordingRefusal } from '../core/audit/refusals.ts';
import type { Capability } from '../capability.ts';
import { usernameKey } from '../core/database/usernameKey.ts';
import type { LinkDirectory } from './linkDirectory.ts';
import { linkEvents } from './events.ts';
import { createLinkDirectory } from './createLinkDirectory.ts';
import { closeLinks } from './links.ts';
import { openApiInvite } from './openApiInvite.ts';
/** One-time links: invitations, resets, magic links, keys of API users. */
export const links = {
  name: 'links',
  operations: {
    getApiInvite: (context, { params }) =>
      recordingRefusal(context, { event: linkEvents['link-used'], method: 'secret-key' }, () =>
        openApiInvite(context, params.hash),
      ),
  },
  auditEvents: linkEvents,
  directory: (context) => ({ links: createLinkDirectory(context) }),
  endAccess: (context, uid) => closeLinks(context, uid),
  cleanUp: async ({ db, settings }) => {
    await db.deleteFrom('links').where('expires_at', '<', databaseTime(settings.now)).execute();
  },
  exportPerson: async (db, { uid, email }) => ({
    links: await db
      .selectFrom('links')
      .select(['kind', 'application', 'redirect_url as redirectUrl', 'api_user as apiUser'])
      .select(['created_at as createdAt', 'expires_at as expiresAt', 'used_at as usedAt'])
      .where((is) => is.or([is('uid', '=', uid), is('email_key', '=', usernameKey(email))]))
      .execute(),
  }),
} satisfies Capability<ServiceContext, { readonly links: LinkDirectory }>;
