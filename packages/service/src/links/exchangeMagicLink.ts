import type { MagicLinkResponse, MagicLinkTokenRequest } from '@vestibule/contract/schema';
import { findByUid, verificationMethodOf, type AccountRecord } from '../accounts/accounts.ts';
import { withUserLocked } from '../accounts/lockUser.ts';
import type { LinkRow } from '../core/database/tables.ts';
import { inTransaction } from '../platform/database/transaction.ts';
import { linkRefused } from '../core/errors.ts';
import { newOpaqueToken } from '../platform/security/opaqueTokens.ts';
import type { ServiceContext, TransactionContext } from '../core/context.ts';
import { startSession } from '../session/startSession.ts';
import { exchangeLink, findOpenLink } from './links.ts';

/**
 * `POST /auth/v1/token` with a magic link, which works once.
 *
 * @throws ServiceError 401 `invalid_link` for a link that is unknown, exchanged, used or expired, and for one into an
 * application that the user may not enter (any more), or only with a second step.
 */
export async function exchangeMagicLink(
  context: ServiceContext,
  request: MagicLinkTokenRequest,
): Promise<MagicLinkResponse> {
  const { magiclinkId } = request;
  const uid = (await findOpenLink(context, magiclinkId, 'application'))?.uid ?? null;
  if (uid !== null) return enterApplication(context, magiclinkId, uid);
  const response = await inTransaction(context.db, async (trx) => {
    const link = await exchangeLink({ ...context, db: trx }, magiclinkId);
    return link === null ? null : linkToForm(context, link.kind);
  });
  if (response === null) throw linkRefused(401);
  return response;
}

/**
 * Runs under the user's lock, as a password change does: that either invalidates the link before, or ends its session
 * afterwards.
 */
async function enterApplication(
  context: ServiceContext,
  magiclinkId: string,
  uid: string,
): Promise<MagicLinkResponse> {
  const response = await withUserLocked(context.db, uid, async (trx) => {
    const link = await exchangeLink({ ...context, db: trx }, magiclinkId);
    return link === null ? null : openApplication({ ...context, db: trx }, link, uid);
  });
  if (response === null) throw linkRefused(401);
  return response;
}

async function openApplication(
  context: TransactionContext,
  link: LinkRow,
  uid: string,
): Promise<MagicLinkResponse | null> {
  const account = await findByUid(context.db, uid);
  const target = account === null ? null : targetOf(account, link);
  // The response cannot contain a challenge, and access to a mailbox must not bypass a second step.
  if (account === null || target === null || needsSecondStep(account)) return null;
  const { token, refresh } = await startSession(context, account.user, verificationMethodOf(account), {
    signedInBy: 'magiclink',
    amr: [],
  });
  return { data: [target], token, refreshToken: refresh };
}

/**
 * The response for a form of the application, which needs no session: one would bypass the second step. The contract
 * requires both tokens, so the first is an expired token that no call accepts, and the second is not stored.
 */
function linkToForm({ settings, tokens }: ServiceContext, type: LinkRow['kind']): MagicLinkResponse {
  const { signOnUrl } = settings.links;
  return {
    data: [{ application: 'sign-on', applicationUrl: signOnUrl, metaData: { type }, redirectUrl: signOnUrl }],
    token: tokens.signEmpty(),
    refreshToken: newOpaqueToken(),
  };
}

/** The present target of the user's persona, which may have changed since the link was issued. */
function targetOf(account: AccountRecord, link: LinkRow): MagicLinkResponse['data'][number] | null {
  const application = link.application ?? '';
  const applicationUrl = applicationUrlOf(account.user.personas, application);
  if (applicationUrl === null) return null;
  return {
    application,
    applicationUrl,
    metaData: { type: link.kind },
    redirectUrl: link.redirect_url ?? applicationUrl,
  };
}

/** @returns `null` if the personas contain no such application. */
export function applicationUrlOf(
  personas: AccountRecord['user']['personas'],
  application: string,
): string | null {
  return Object.hasOwn(personas, application) ? (personas[application]?.[0]?.applicationUrl ?? null) : null;
}

/** Whether a sign-in requires more than a password or provider. */
export function needsSecondStep({ user, factors }: AccountRecord): boolean {
  return factors.length > 0 || user.must_set_up_mfa;
}
