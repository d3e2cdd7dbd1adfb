import type { OpenIdContext } from './context.ts';
import { levelOf, type Authentication } from '../session/authentication.ts';
import { findArtifact } from './artifacts.ts';
import { latestOf, librarySessions, wasAskedIn, type FamilySession } from './familySession.ts';
import {
  levelFor,
  levelIn,
  promptsOf,
  type AuthorizationRequest,
  type EndUser,
  type Prompt,
} from './prompts.ts';
import { secondStepOf } from './secondStep.ts';
import { receivesSession } from './settings.ts';

/** The parameters of an authorization request, as the library has checked them. */
export type Params = Readonly<Record<string, string | undefined>>;

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

/** What the user has answered, in the result of an interaction. */
export const answerIn = (result: object | undefined): Answer | undefined =>
  (result as { readonly answer?: Answer } | undefined)?.answer;

/** What decides about an authorization request. */
export interface Facts {
  readonly request: AuthorizationRequest;
  readonly user: EndUser;
  /** What the user is asked before the browser goes on to the application. */
  readonly prompts: readonly Prompt[];
  /** The latest authentication of the user. */
  readonly authentication: Authentication;
}

/** What the facts are read from. */
interface Given {
  readonly params: Params;
  readonly client: {
    readonly id: string;
    readonly consent: boolean;
    readonly acr?: string | undefined;
    readonly isPublic: boolean;
  };
  /** Of the session of the library; absent: the latest one of all. */
  readonly authentication?: Authentication;
  readonly details: RequestDetails | undefined;
  readonly answer: Answer | undefined;
}

/** Reads what decides about a request of the user of a session. */
export async function readFacts(
  context: OpenIdContext,
  session: FamilySession,
  { params, client, details, ...given }: Given,
): Promise<Facts> {
  const request = requestFrom(context, params, client);
  const own = given.authentication;
  const isEnough = own !== undefined && levelOf(own) >= levelFor(request);
  const sessions = isEnough ? [] : await librarySessions(context, session);
  const authentication = own ?? latestOf(session, sessions);
  const answer = given.answer?.sessionId === session.id ? given.answer : undefined;
  const consent = request.asksConsent
    ? await findArtifact(context, 'Consent', `${session.uid} ${client.id}`)
    : null;
  const acr = levelOf(authentication);
  const user = {
    authTime: authentication.at,
    acr,
    hasSecondStep: acr < levelFor(request) && (await secondStepOf(context, session.uid)) !== null,
    isFresh: details !== undefined && (details.isFresh || session.signIn.at > details.requestedAt),
    wasAsked: wasAskedIn(sessions, client.id),
    hasProved: answer !== undefined && answer.proof !== null,
    hasAgreed: answer?.hasAgreed === true,
    hasSelected: answer !== undefined,
    consented: consent === null ? null : (consent.payload['scopes'] as readonly string[]),
  };
  return { request, user, authentication, prompts: promptsOf(request, user, context.settings.now()) };
}

function requestFrom(
  { settings }: OpenIdContext,
  params: Params,
  client: Given['client'],
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
function isAssured({ openid }: OpenIdContext['settings'], address: string): boolean {
  const url = URL.parse(address);
  if (url?.protocol === 'https:') return true;
  // Whatever listens there has the session already.
  return url?.protocol === 'http:' && openid !== undefined && receivesSession(openid, url.hostname);
}
