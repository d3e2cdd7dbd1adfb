import type {
  AnswerOpenIdRequest,
  OpenIdAnswerResponse,
  OpenIdRequestResponse,
} from '@vestibule/contract/schema';
import { withUserLocked } from '../accounts/lockUser.ts';
import type { Client } from '../platform/clients/clients.ts';
import { clientScopes } from '../platform/clientFields.ts';
import { linkRefused, sessionEnded } from '../platform/errors.ts';
import type { SessionBearer } from '../platform/security/signedTokens.ts';
import type { ServiceContext } from '../platform/serviceContext.ts';
import { levelOf } from '../session/authentication.ts';
import { checkIdentityToken, useIdentityToken } from '../session/identityTokens.ts';
import { expectOpenSession } from '../session/openSession.ts';
import { artifactHash, findArtifact, writeArtifact } from './artifacts.ts';
import { familySession, noteProof, type FamilySession } from './familySession.ts';
import type { Payload, StoredInteraction } from './library.ts';
import { levelIn, needsOf, type Demand, type Need, type Standing } from './needs.ts';
import { receivesSession } from './settings.ts';

/** How long a request waits for its user, in seconds: long enough for a reset of the password. */
export const interactionSeconds = 1800;
/** How long a consent is remembered, in seconds. */
const consentSeconds = 365 * 86_400;

/** What an authorization request asks for. @param params as oidc-provider has checked them. */
export function demandOf(
  { settings }: Pick<ServiceContext, 'settings'>,
  params: Readonly<Record<string, string | undefined>>,
  client: Pick<Client, 'consent'> & { readonly acr?: string | undefined; readonly isPublic: boolean },
): Demand {
  const words = (value: string | undefined): readonly string[] => value?.split(' ') ?? [];
  return {
    prompts: new Set(words(params['prompt'])),
    maxAge: params['max_age'] === undefined ? null : Number(params['max_age']),
    preferredLevel: levelIn(params['acr_values']),
    leastLevel: levelIn(client.acr),
    scopes: words(params['scope']),
    asksConsent: client.consent,
    isAssured: !client.isPublic || isAssured(settings, params['redirect_uri'] ?? ''),
  };
}

/** Whether only the application can receive what is sent to an address (RFC 8252 §8.6). */
function isAssured({ openid }: ServiceContext['settings'], address: string): boolean {
  const url = URL.parse(address);
  if (url?.protocol === 'https:') return true;
  // Whatever listens there has the session already.
  return url?.protocol === 'http:' && openid !== undefined && receivesSession(openid, url.hostname);
}

/** What `details` of an interaction holds. */
export interface InteractionDetails {
  /** When the request came; ms since 1970. */
  readonly requestedAt: number;
  /** Whether the user has signed in for it. */
  readonly isFresh: boolean;
}

/** What the user has answered, as it is stored in the result of an interaction. */
export interface InteractionAnswer {
  /** The session that has answered. */
  readonly sessionId: string;
  readonly hasProved: boolean;
  readonly hasAgreed: boolean;
}

/** What is known of the user of a session, for a request that an interaction may have stored. */
export async function standingOf(
  context: Pick<ServiceContext, 'db' | 'settings'>,
  session: FamilySession,
  { id: clientId, consent: asksConsent }: Pick<Client, 'id' | 'consent'>,
  request: InteractionDetails | null,
  answer: InteractionAnswer | null,
): Promise<Standing> {
  const consent = asksConsent ? await findArtifact(context, 'Consent', `${session.uid} ${clientId}`) : null;
  const given = answer?.sessionId === session.id ? answer : null;
  return {
    authenticatedAt: session.authenticatedAt,
    level: levelOf(session),
    isFresh: request !== null && (request.isFresh || session.authenticatedAt > request.requestedAt),
    hasProved: given?.hasProved === true,
    consented: consent === null ? null : (consent.payload['scopes'] as readonly string[]),
    hasAgreed: given?.hasAgreed === true,
  };
}

interface OpenRequest {
  readonly stored: StoredInteraction;
  readonly client: Client;
  readonly session: FamilySession;
  readonly needs: readonly Need[];
  readonly demand: Demand;
}

/**
 * Finds the request of this browser. Its id is bound to the session in which it began; once that has ended, the next session of the
 * browser may answer ('Use Another Account'). Only the browser with the cookie of the request can go on with it.
 *
 * @throws ServiceError 404 `not_found`.
 */
async function openRequest(context: ServiceContext, bearer: SessionBearer, id: string): Promise<OpenRequest> {
  const found = await findArtifact(context, 'Interaction', id);
  if (found === null) throw linkRefused(404);
  const stored = found.payload as unknown as StoredInteraction;
  const client = await context.clients.find(stored.params['client_id'] ?? '');
  const began = stored.session?.uid;
  if (client === null || began === undefined) throw linkRefused(404);
  if (began !== bearer.sessionId && (await isOpen(context, began))) throw linkRefused(404);
  const session = await familySession(context, bearer);
  if (session === null) throw sessionEnded('unauthorized');
  const demand = demandOf(context, stored.params, {
    ...client,
    isPublic: client.authentication === 'none',
  });
  const details = stored.prompt.details as unknown as InteractionDetails;
  const standing = await standingOf(context, session, client, details, null);
  return { stored, client, session, demand, needs: needsOf(demand, standing, context.settings.now()) };
}

async function isOpen({ db, settings }: ServiceContext, sessionId: string): Promise<boolean> {
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
 * @throws ServiceError 404 `not_found` for a request that is unknown, expired, or of another browser.
 */
export async function getOpenIdRequest(
  context: ServiceContext,
  bearer: SessionBearer,
  id: string,
): Promise<OpenIdRequestResponse> {
  const { client, needs, demand } = await openRequest(context, bearer, id);
  const { name, url = null, logo = null } = client;
  return {
    application: { name, url, logo },
    needs: [...needs],
    secondStep: null,
    scopes: clientScopes.filter((scope) => demand.scopes.includes(scope)),
  };
}

/**
 * `POST /auth/v1/openid/requests/{id}`. A verification token is used up.
 *
 * @throws ServiceError 404 as `getOpenIdRequest`; 401 `invalid_verification` without a proof that is needed.
 */
export async function answerOpenIdRequest(
  context: ServiceContext,
  bearer: SessionBearer,
  id: string,
  { allow, authVerificationToken }: AnswerOpenIdRequest,
): Promise<OpenIdAnswerResponse> {
  const { stored, client, session, needs, demand } = await openRequest(context, bearer, id);
  const hasProved = allow && needs.includes('identity');
  const hasAgreed = allow && needs.includes('consent');
  const proof = hasProved ? await checkIdentityToken(context, bearer, authVerificationToken) : null;
  const answer: InteractionAnswer = { sessionId: session.id, hasProved, hasAgreed };
  const result: Payload = allow
    ? { answer, ...(hasAgreed ? { consent: {} } : {}) }
    : { error: 'access_denied', error_description: 'The user has cancelled.' };
  const done = await withUserLocked(context.db, bearer.uid, async (trx) => {
    const own = { ...context, db: trx };
    await expectOpenSession(trx, bearer);
    if (proof !== null) {
      await useIdentityToken(trx, bearer, authVerificationToken);
      await noteProof(own, bearer, proof.method);
    }
    if (hasAgreed && client.consent) {
      await rememberConsent(own, bearer.uid, client.id, demand.scopes);
      await context.audit.record(trx, {
        event: 'openid-consent',
        outcome: 'success',
        uid: bearer.uid,
        method: client.id,
      });
    }
    const { numUpdatedRows } = await trx
      .updateTable('openid_artifacts')
      .set({
        payload: JSON.stringify({ ...stored, session: { uid: session.id, accountId: bearer.uid }, result }),
      })
      .where('id_hash', '=', artifactHash('Interaction', id))
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  });
  if (done === null) throw sessionEnded('unauthorized');
  if (!done) throw linkRefused(404);
  return { redirectUrl: stored.returnTo };
}

async function rememberConsent(
  context: Pick<ServiceContext, 'db' | 'settings'>,
  uid: string,
  clientId: string,
  scopes: readonly string[],
): Promise<void> {
  await writeArtifact(context, {
    model: 'Consent',
    id: `${uid} ${clientId}`,
    payload: { scopes, at: context.settings.now() },
    expiresIn: consentSeconds,
    uid,
    clientId,
  });
}
