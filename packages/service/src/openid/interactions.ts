import type {
  AnswerOpenIdRequest,
  OpenIdAnswerResponse,
  OpenIdCodeResponse,
  OpenIdRequestResponse,
} from '@vestibule/contract/schema';
import type Provider from 'oidc-provider';
import type { InteractionResults } from 'oidc-provider';
import { withUserLocked } from '../accounts/lockUser.ts';
import type { Client } from '../platform/clients/clients.ts';
import { clientScopes } from '../platform/clientFields.ts';
import { sessionEnded } from '../platform/errors.ts';
import type { SessionBearer } from '../platform/security/signedTokens.ts';
import type { ServiceContext } from '../platform/serviceContext.ts';
import { acrOf, levelOf, type Authentication } from '../session/authentication.ts';
import { checkedProof, useIdentityToken } from '../session/identityTokens.ts';
import { expectOpenSession } from '../session/openSession.ts';
import { artifactHash, findArtifact, writeArtifact } from './artifacts.ts';
import {
  callOf,
  expireEndedSession,
  familySession,
  latestOf,
  librarySessions,
  sessionOf,
  wasAskedIn,
  type FamilySession,
  type RequestContext,
} from './familySession.ts';
import {
  levelFor,
  levelIn,
  promptsOf,
  type AuthorizationRequest,
  type EndUser,
  type Prompt,
} from './prompts.ts';
import { requestOver } from './requestOver.ts';
import { checkCode, secondStepOf, sendCode } from './secondStep.ts';
import { receivesSession } from './settings.ts';

/** How long a request waits for its user, in seconds: long enough for a reset of the password. */
export const interactionSeconds = 1800;
/** How long a consent is remembered, in seconds. */
const consentSeconds = 365 * 86_400;
/** Where the browser goes on with a request, as the library's `interactions.url` says. */
export const interactionPath = '/oidc/interaction';

type Params = Readonly<Record<string, string | undefined>>;

/** An authorization request that waits for its user, as the library stores it. */
interface StoredInteraction {
  readonly returnTo: string;
  readonly params: Params;
  readonly prompt: { readonly details: RequestDetails };
  readonly result?: object;
}

/** What `details` of an interaction holds. */
export interface RequestDetails {
  /** When the request came; ms since 1970. */
  readonly requestedAt: number;
  /** Whether the user has signed in for it. */
  readonly isFresh: boolean;
}

/** What the user has answered, as it is stored in the result of an interaction. */
export interface Answer {
  /** The session that has answered. */
  readonly sessionId: string;
  readonly isDenied: boolean;
  readonly proof: Authentication | null;
  readonly hasAgreed: boolean;
}

export const answerIn = (result: object | undefined): Answer | undefined =>
  (result as { readonly answer?: Answer } | undefined)?.answer;

/** What an authorization request asks for. @param params as oidc-provider has checked them. */
export function requestFrom(
  { settings }: Pick<ServiceContext, 'settings'>,
  params: Params,
  client: { readonly consent: boolean; readonly acr?: string | undefined; readonly isPublic: boolean },
): AuthorizationRequest {
  const words = (value: string | undefined): readonly string[] => value?.split(' ') ?? [];
  return {
    prompt: new Set(words(params['prompt'])),
    maxAge: params['max_age'] === undefined ? null : Number(params['max_age']),
    acrValues: levelIn(params['acr_values']),
    leastAcr: levelIn(client.acr),
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

/** What is known of the user of a session, for a request that an interaction may have stored. */
export async function endUserOf(
  context: Pick<ServiceContext, 'db' | 'settings'>,
  session: FamilySession,
  { id, request }: { readonly id: string; readonly request: AuthorizationRequest },
  given: {
    readonly authentication: Authentication;
    readonly wasAsked: boolean;
    readonly details: RequestDetails | undefined;
    readonly answer: Answer | undefined;
  },
): Promise<EndUser> {
  const { authentication, wasAsked, details } = given;
  const answer = given.answer?.sessionId === session.id ? given.answer : undefined;
  const consent = request.asksConsent ? await findArtifact(context, 'Consent', `${session.uid} ${id}`) : null;
  const acr = levelOf(authentication);
  return {
    authTime: authentication.at,
    acr,
    hasSecondStep: acr < levelFor(request) && (await secondStepOf(context, session.uid)) !== null,
    isFresh: details !== undefined && (details.isFresh || session.signIn.at > details.requestedAt),
    wasAsked,
    hasProved: answer !== undefined && answer.proof !== null,
    hasAgreed: answer?.hasAgreed === true,
    hasSelected: answer !== undefined,
    consented: consent === null ? null : (consent.payload['scopes'] as readonly string[]),
  };
}

interface OpenRequest {
  /** Of the interaction. */
  readonly id: string;
  readonly stored: StoredInteraction;
  readonly client: Client;
  readonly request: AuthorizationRequest;
  readonly prompts: readonly Prompt[];
  readonly latest: Authentication;
}

/** The id in the address: that of the interaction, and of its client, which is known even when the request is over. */
export const idIn = (uid: string, params: object): string =>
  `${uid}~${String((params as Params)['client_id'])}`;

/** An open request, as the user of a session finds it; `null` if it is over. @param isAnswered whether an answer of the user counts. */
async function readRequest(
  context: Pick<ServiceContext, 'db' | 'settings' | 'clients'>,
  session: FamilySession,
  [id = '']: readonly string[],
  isAnswered: boolean,
): Promise<OpenRequest | null> {
  const found = await findArtifact(context, 'Interaction', id);
  const stored = found?.payload as StoredInteraction | undefined;
  const client = stored === undefined ? null : await context.clients.find(stored.params['client_id'] ?? '');
  if (stored === undefined || client === null) return null;
  const request = requestFrom(context, stored.params, {
    ...client,
    isPublic: client.authentication === 'none',
  });
  const sessions = await librarySessions(context, session);
  const latest = latestOf(session, sessions);
  const user = await endUserOf(
    context,
    session,
    { id: client.id, request },
    {
      authentication: latest,
      wasAsked: wasAskedIn(sessions, client.id),
      details: stored.prompt.details,
      answer: isAnswered ? answerIn(stored.result) : undefined,
    },
  );
  return { id, stored, client, request, latest, prompts: promptsOf(request, user, context.settings.now()) };
}

/**
 * `GET /oidc/interaction/{id}`: where the library sends the browser with a request that needs the user. It goes on to the application
 * where nothing is missing, otherwise to the page, and comes back from there. Only the browser with the cookie of the request can go on.
 *
 * @param context of the call.
 */
export async function interact(
  provider: Provider,
  context: ServiceContext,
  ctx: RequestContext,
  address: string,
): Promise<void> {
  const { issuer, links } = context.settings;
  const session = await sessionOf(ctx);
  const go = (to: string): void => {
    ctx.status = 303;
    ctx.redirect(to);
  };
  const ids = address.split('~');
  const interaction = await provider.Interaction.find(ids[0] ?? '');
  if (session === null) {
    await expireEndedSession(context, ctx);
    go(
      `${links.signOnUrl}/login?${loginQuery(`${issuer}${interactionPath}/${address}`, interaction?.params)}`,
    );
    return;
  }
  const isOfBrowser = ctx.cookies.get(provider.cookieName('interaction')) === ids[0];
  const open = isOfBrowser ? await readRequest(context, session, ids, true) : null;
  const answer = answerIn(open?.stored.result);
  const own = answer?.sessionId === session.id ? answer : undefined;
  if (interaction === undefined || open === null || (open.prompts.length > 0 && own?.isDenied !== true)) {
    if (open !== null) await claim(context, open.id, session.id);
    // Another browser is told that the request is over, and for which application.
    const shown = isOfBrowser ? address : `over~${ids[1] ?? ''}`;
    go(`${links.signOnUrl}/continue/${encodeURIComponent(shown)}`);
    return;
  }
  const { at, amr } = own?.proof ?? open.latest;
  const result: InteractionResults =
    own?.isDenied === true
      ? { error: 'access_denied', error_description: 'The user has cancelled.' }
      : {
          login: {
            accountId: session.uid,
            ts: Math.floor(at / 1000),
            ...(amr.length === 0 ? {} : { amr: [...amr] }),
            acr: acrOf(levelOf({ amr })),
          },
          consent: {},
          answer: own,
        };
  if (own?.hasAgreed === true && open.client.consent)
    await rememberConsent(context, session.uid, open.client.id, open.request.scopes);
  // The library compares its session with that of the begin; here the session of the family is compared.
  delete interaction.session;
  await interaction.persist();
  ctx.respond = false;
  callOf(ctx).finish();
  await provider.interactionFinished(ctx.req, ctx.res, result, { mergeWithLastSubmission: false });
}

function loginQuery(url: string, params: object | undefined): string {
  const query = new URLSearchParams({ url });
  for (const name of ['login_hint', 'ui_locales']) {
    const value = (params as Params | undefined)?.[name];
    if (value !== undefined) query.set(name, value);
  }
  return query.toString();
}

/** Lets the user of a session answer a request. */
async function claim({ db }: Pick<ServiceContext, 'db'>, id: string, sessionId: string): Promise<void> {
  await db
    .updateTable('openid_artifacts')
    .set({ session_id: sessionId })
    .where('id_hash', '=', artifactHash('Interaction', id))
    .execute();
}

/**
 * Finds the request of this browser. Its id is bound to the session in which it began; once that has ended, the next session of the
 * browser may answer ('Use Another Account').
 *
 * @throws RequestOver 404.
 */
async function openRequest(
  context: ServiceContext,
  bearer: SessionBearer,
  address: string,
): Promise<OpenRequest & { readonly session: FamilySession }> {
  const ids = address.split('~');
  const session = await familySession(context, bearer);
  if (session === null) throw sessionEnded('unauthorized');
  const open = (await mayAnswer(context, bearer, ids[0] ?? ''))
    ? await readRequest(context, session, ids, false)
    : null;
  if (open === null) throw await requestOver(context, ids[1]);
  return { ...open, session };
}

async function mayAnswer(
  { db, settings }: ServiceContext,
  { sessionId }: SessionBearer,
  id: string,
): Promise<boolean> {
  const row = await db
    .selectFrom('openid_artifacts')
    .leftJoin('sessions', 'sessions.id', 'session_id')
    .select(['session_id', 'ended_at', 'sessions.expires_at as until'])
    .where('id_hash', '=', artifactHash('Interaction', id))
    .executeTakeFirst();
  if (row === undefined || row.session_id === null) return false;
  const isOpen = row.until !== null && row.ended_at === null && row.until.getTime() > settings.now();
  return row.session_id === sessionId || !isOpen;
}

/**
 * `GET /auth/v1/openid/requests/{id}`.
 *
 * @throws RequestOver 404 for a request that is unknown, expired, answered or of another browser.
 */
export async function getOpenIdRequest(
  context: ServiceContext,
  bearer: SessionBearer,
  address: string,
): Promise<OpenIdRequestResponse> {
  const { client, request, prompts } = await openRequest(context, bearer, address);
  const { name, url = null, logo = null } = client;
  return {
    application: { name, url, logo },
    needs: [
      ...(prompts.includes('login') ? (['identity'] as const) : []),
      ...(prompts.includes('consent') ? (['consent'] as const) : []),
    ],
    secondStep: await stepFor(context, bearer, request, prompts),
    scopes: clientScopes.filter((scope) => request.scopes.includes(scope)),
  };
}

/** The second step that a proof by anything but a passkey needs in addition. */
function stepFor(
  context: ServiceContext,
  { uid }: SessionBearer,
  request: AuthorizationRequest,
  prompts: readonly Prompt[],
): Promise<'sms' | 'app' | null> {
  const isNeeded = prompts.includes('login') && levelFor(request) === 2;
  return isNeeded ? secondStepOf(context, uid) : Promise.resolve(null);
}

/** `POST /auth/v1/openid/requests/{id}/code`: see `sendCode`. @throws RequestOver 404. */
export async function sendOpenIdCode(
  context: ServiceContext,
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
 * @throws RequestOver 404 as `getOpenIdRequest`; ServiceError 401 `invalid_verification` without a proof that is needed, `code_wrong`
 * without the second step that is needed.
 */
export async function answerOpenIdRequest(
  context: ServiceContext,
  bearer: SessionBearer,
  address: string,
  { allow, authVerificationToken, code }: AnswerOpenIdRequest,
): Promise<OpenIdAnswerResponse> {
  const { id, stored, client, session, request, prompts } = await openRequest(context, bearer, address);
  const isProof = allow && prompts.includes('login');
  const hasAgreed = allow && prompts.includes('consent');
  const first = isProof ? await checkedProof(context, bearer, authVerificationToken) : null;
  const step =
    first === null || levelOf(first) === 2 ? null : await stepFor(context, bearer, request, prompts);
  const second = step === null ? null : await checkCode(context, bearer, authVerificationToken, code);
  const proof =
    first === null || second === null ? first : { ...first, amr: [...first.amr, second.amr, 'mfa'] };
  const answer: Answer = { sessionId: session.id, isDenied: !allow, proof, hasAgreed };
  const isOpen = await withUserLocked(context.db, bearer.uid, async (trx) => {
    await expectOpenSession(trx, bearer);
    await second?.use(trx);
    if (proof !== null) await useIdentityToken(trx, bearer, authVerificationToken);
    const { numUpdatedRows } = await trx
      .updateTable('openid_artifacts')
      .set({ session_id: session.id, payload: JSON.stringify({ ...stored, result: { answer } }) })
      .where('id_hash', '=', artifactHash('Interaction', id))
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  });
  if (isOpen === null) throw sessionEnded('unauthorized');
  if (!isOpen) throw await requestOver(context, client.id);
  return {
    redirectUrl: `${context.settings.issuer}${interactionPath}/${idIn(id, stored.params)}`,
  };
}

async function rememberConsent(
  context: Pick<ServiceContext, 'db' | 'settings' | 'audit'>,
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
  await context.audit.record(context.db, {
    event: 'openid-consent',
    outcome: 'success',
    uid,
    method: clientId,
  });
}
