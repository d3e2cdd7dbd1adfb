import type { MagicLinkResponse, MagicLinkTokenRequest, SignInMethod } from '@vestibule/contract/schema';
import { findByUid, offersBasic, type AccountRecord } from '../accounts/accounts.ts';
import { withUserLocked } from '../accounts/lockUser.ts';
import type { LinkRow } from '../database/tables.ts';
import { inTransaction } from '../database/transaction.ts';
import { linkRefused } from '../errors.ts';
import { newOpaqueToken } from '../security/opaqueTokens.ts';
import type { ServiceContext, TransactionContext } from '../serviceContext.ts';
import { startSession } from '../session/startSession.ts';
import { exchangeLink, findOpenLink } from './links.ts';

/**
 * `POST /auth/v1/token` with a magic link, which counts once.
 *
 * @throws ServiceError 401 `invalid_link` for a link that is unknown, exchanged, used or expired, and for one into an
 * application that the user may not enter (any more), or not without a second step.
 */
export async function exchangeMagicLink(
  context: ServiceContext,
  request: MagicLinkTokenRequest,
): Promise<MagicLinkResponse> {
  const { magiclinkId } = request;
  const uid = (await findOpenLink(context, magiclinkId, 'application'))?.uid ?? null;
  if (uid !== null) return enterApplication(context, magiclinkId, uid);
  const link = await inTransaction(context.db, (trx) => exchangeLink({ ...context, db: trx }, magiclinkId));
  if (link === null) throw linkRefused(401);
  return goToSignOn(context, link.kind);
}

/**
 * Under the user's lock, which a changed password takes too: the link is then either void already, or its session is
 * there to be ended.
 */
async function enterApplication(
  context: ServiceContext,
  magiclinkId: string,
  uid: string,
): Promise<MagicLinkResponse> {
  const answer = await withUserLocked(context.db, uid, async (trx) => {
    const link = await exchangeLink({ ...context, db: trx }, magiclinkId);
    return link === null ? null : openApplication({ ...context, db: trx }, link, uid);
  });
  if (answer === null) throw linkRefused(401);
  return answer;
}

async function openApplication(
  context: TransactionContext,
  link: LinkRow,
  uid: string,
): Promise<MagicLinkResponse | null> {
  const account = await findByUid(context.db, uid);
  const target = account === null ? null : targetOf(account, link);
  // This answer has no place for a challenge: a mailbox alone must not open what a second step guards.
  if (account === null || target === null || needsSecondStep(account)) return null;
  const { token, refresh } = await startSession(context, account.user, methodOf(account), 'magiclink');
  return { data: [target], token, refreshToken: refresh };
}

/**
 * The sign-on's own forms need no session, and their links must not give one: a reset link would go round the second
 * step, an API user does not sign in. The contract wants both tokens all the same, so they are empty ones: the
 * first is over as it is signed and of a type that nothing takes, the second was never stored.
 */
function goToSignOn({ settings, tokens }: ServiceContext, type: LinkRow['kind']): MagicLinkResponse {
  const { signOnUrl } = settings.links;
  return {
    data: [{ application: 'sign-on', applicationUrl: signOnUrl, metaData: { type }, redirectUrl: signOnUrl }],
    token: tokens.signEmpty(),
    refreshToken: newOpaqueToken(),
  };
}

/** Where the user's persona leads now, which may be elsewhere than when the link was made. */
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

/** @returns `null` where the personas hold no such application. */
export function applicationUrlOf(
  personas: AccountRecord['user']['personas'],
  application: string,
): string | null {
  return Object.hasOwn(personas, application) ? (personas[application]?.[0]?.applicationUrl ?? null) : null;
}

/** Whether signing in would ask for more than a password. */
export function needsSecondStep({ user, factors }: AccountRecord): boolean {
  return factors.length > 0 || user.must_set_up_mfa;
}

/** How the user verifies the identity from here on: `method` of the token's claims follows from it. */
function methodOf(account: AccountRecord): SignInMethod {
  return offersBasic(account) ? 'basic' : (account.methods[0]?.method ?? 'basic');
}
