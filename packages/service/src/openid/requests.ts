import type {
  AnswerOpenIdRequest,
  OpenIdAnswerResponse,
  OpenIdCodeResponse,
  OpenIdRequestResponse,
} from '@vestibule/contract/schema';
import { withUserLocked } from '../accounts/lockUser.ts';
import { clientScopes } from '../core/clientFields.ts';
import { sessionEnded } from '../core/errors.ts';
import { ServiceError } from '../platform/errors.ts';
import type { SessionBearer } from '../core/keys/signedTokens.ts';
import type { OpenIdContext } from './context.ts';
import { openIdTables, type Payload } from './tables.ts';
import { levelOf } from '../session/authentication.ts';
import { checkedProof, useIdentityToken } from '../session/identityTokens.ts';
import { expectOpenSession } from '../session/openSession.ts';
import { artifactHash, findArtifact } from './artifacts.ts';
import type { Answer, Facts } from './facts.ts';
import { familySession, type FamilySession } from './familySession.ts';
import { interactionPath, readRequest, type OpenRequest } from './interactions.ts';
import { openIdTexts } from './openid.messages.ts';
import { levelFor } from './prompts.ts';
import { checkCode, secondStepOf, sendCode } from './secondStep.ts';

/** The failure of a request that is over, with the application where its sign-in begins anew. */
async function requestOver({ clients }: OpenIdContext, clientId: string | undefined): Promise<ServiceError> {
  const client = clientId === undefined ? null : await clients.find(clientId);
  const application =
    client === null
      ? {}
      : { application: { name: client.name, url: client.initiateLoginUri ?? client.url ?? null } };
  return new ServiceError(404, 'request_over', openIdTexts.requestOver, undefined, undefined, application);
}

interface FoundRequest extends OpenRequest {
  /** Of the interaction. */
  readonly id: string;
  readonly payload: Payload;
  readonly session: FamilySession;
}

/**
 * Finds the request of this browser. Its id is bound to the session in which it began; once that has ended, the next session of the
 * browser may answer ('Use Another Account').
 *
 * @throws ServiceError 404 `request_over`.
 */
async function openRequest(
  context: OpenIdContext,
  bearer: SessionBearer,
  address: string,
): Promise<FoundRequest> {
  const [id = '', clientId] = address.split('~');
  const session = await familySession(context, bearer);
  if (session === null) throw sessionEnded('unauthorized');
  const found = await findArtifact(context, 'Interaction', id);
  const began = found?.sessionId ?? null;
  const mayAnswer = began !== null && (began === session.id || !(await isOpen(context, began)));
  const payload = found?.payload;
  const open =
    mayAnswer && payload !== undefined
      ? await readRequest(context, session, payload as unknown as Parameters<typeof readRequest>[2], false)
      : null;
  if (open === null || payload === undefined) throw await requestOver(context, clientId);
  return { ...open, id, payload, session };
}

async function isOpen({ db, settings }: OpenIdContext, sessionId: string): Promise<boolean> {
  const session = await db
    .selectFrom('sessions')
    .select('id')
    .where('id', '=', sessionId)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', new Date(settings.now()))
    .executeTakeFirst();
  return session !== undefined;
}

/**
 * `GET /auth/v1/openid/requests/{id}`.
 *
 * @throws ServiceError 404 `request_over` for a request that is unknown, expired, answered or of another browser.
 */
export async function getOpenIdRequest(
  context: OpenIdContext,
  bearer: SessionBearer,
  address: string,
): Promise<OpenIdRequestResponse> {
  const open = await openRequest(context, bearer, address);
  const { client, request, prompts } = open;
  const { name, url = null, logo = null } = client;
  return {
    application: { name, url, logo },
    needs: [
      ...(prompts.includes('login') ? (['identity'] as const) : []),
      ...(prompts.includes('consent') ? (['consent'] as const) : []),
    ],
    secondStep: await stepFor(context, bearer, open),
    scopes: clientScopes.filter((scope) => request.scopes.includes(scope)),
  };
}

/** The second step that a proof by anything but a passkey needs in addition. */
function stepFor(
  context: OpenIdContext,
  { uid }: SessionBearer,
  { request, prompts }: Facts,
): Promise<'sms' | 'app' | null> {
  const isNeeded = prompts.includes('login') && levelFor(request) === 2;
  return isNeeded ? secondStepOf(context, uid) : Promise.resolve(null);
}

/** `POST /auth/v1/openid/requests/{id}/code`: see `sendCode`. @throws ServiceError 404 `request_over`. */
export async function sendOpenIdCode(
  context: OpenIdContext,
  bearer: SessionBearer,
  address: string,
  authVerificationToken: string,
): Promise<OpenIdCodeResponse> {
  await openRequest(context, bearer, address);
  return sendCode(context, bearer, authVerificationToken);
}

/**
 * `POST /auth/v1/openid/requests/{id}`. A verification token is used up.
 *
 * @throws ServiceError 404 as `getOpenIdRequest`; 401 `invalid_verification` without a proof that is needed, `code_wrong`
 * without the second step that is needed.
 */
export async function answerOpenIdRequest(
  context: OpenIdContext,
  bearer: SessionBearer,
  address: string,
  { allow, authVerificationToken, code }: AnswerOpenIdRequest,
): Promise<OpenIdAnswerResponse> {
  const open = await openRequest(context, bearer, address);
  const { id, payload, client, session, prompts } = open;
  const isProof = allow && prompts.includes('login');
  const hasAgreed = allow && prompts.includes('consent');
  const first = isProof ? await checkedProof(context, bearer, authVerificationToken) : null;
  const step = first === null || levelOf(first) === 2 ? null : await stepFor(context, bearer, open);
  const second = step === null ? null : await checkCode(context, bearer, authVerificationToken, code);
  const proof =
    first === null || second === null ? first : { ...first, amr: [...first.amr, second.amr, 'mfa'] };
  const answer: Answer = { sessionId: session.id, isDenied: !allow, proof, hasAgreed };
  const isStored = await withUserLocked(context.db, bearer.uid, async (trx) => {
    await expectOpenSession(trx, bearer);
    await second?.use(trx);
    if (proof !== null) await useIdentityToken(trx, bearer, authVerificationToken);
    const { numUpdatedRows } = await openIdTables(trx)
      .updateTable('openid_artifacts')
      .set({ session_id: session.id, payload: JSON.stringify({ ...payload, result: { answer } }) })
      .where('id_hash', '=', artifactHash('Interaction', id))
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  });
  if (isStored === null) throw sessionEnded('unauthorized');
  if (!isStored) throw await requestOver(context, client.id);
  return { redirectUrl: `${context.settings.issuer}${interactionPath}/${id}~${client.id}` };
}
