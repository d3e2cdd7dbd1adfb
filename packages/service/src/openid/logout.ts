import { chooseLanguage, directionOf } from '@vestibule/contract/languages';
import { decodeJwt } from 'jose';
import type Provider from 'oidc-provider';
import type { Client } from 'oidc-provider';
import { inTransaction } from '../platform/database/transaction.ts';
import type { OpenIdContext } from './context.ts';
import { openIdEvents } from './events.ts';
import { worded } from '../platform/texts/texts.ts';
import {
  callOf,
  cookiesNamed,
  expireCookies,
  sessionOf,
  type FamilySession,
  type RequestContext,
} from './familySession.ts';
import { openIdTexts } from './openid.messages.ts';
import { endpoints } from './provider.ts';
import { explain } from './refusedRequests.ts';

/** The type of the token that the question of a sign-out holds, and how long it is valid, in seconds. */
const [questionType, questionSeconds] = ['openid-logout+jwt', 600];

interface LogoutRequest {
  readonly idTokenHint: string | undefined;
  readonly clientId: string | undefined;
  readonly redirectUri: string | undefined;
  readonly state: string | undefined;
  /** Whether a parameter comes twice. */
  readonly isTwice: boolean;
}

/**
 * RP-initiated logout. With an `id_token_hint` of the session in the cookie it ends without a question, otherwise the user is asked. A
 * request that is refused ends the session too, and leads to the login page.
 *
 * @param context of the call.
 * @param given the parameters; an empty one counts as absent.
 */
export async function endSession(
  provider: Provider,
  context: OpenIdContext,
  ctx: RequestContext,
  given: URLSearchParams,
): Promise<void> {
  const request = requestFrom(given);
  const { sid, fault, clientId = null } = await check(provider, request);
  const session = await sessionOf(ctx);
  const isAnswer = session !== null && (await isAnswered(context, session, ctx, given));
  if (session === null && ctx.method === 'POST' && !given.has('question')) {
    // Browsers send the cookie of the session with a request of another site by GET only. An ID token has no place in an address.
    const query = new URLSearchParams(given);
    query.delete('id_token_hint');
    if (clientId !== null) query.set('client_id', clientId);
    ctx.status = 303;
    ctx.redirect(`${endpoints.end_session}?${query.toString()}`);
    return;
  }
  // The form repeats the request that was refused.
  if (fault !== undefined && !isAnswer)
    await explain(callOf(ctx), clientId, {
      endpoint: 'end_session',
      error: 'invalid_request',
      reason: fault,
    });
  if (session !== null) {
    if (sid !== session.id && !isAnswer) {
      ask(context, ctx, session, given);
      return;
    }
    await signOut(context, session.id);
    expireCookies(context, ctx);
  }
  ctx.status = 303;
  const address = fault === undefined ? addressAfter(request) : null;
  ctx.redirect(address ?? `${context.settings.links.signOnUrl}/login`);
}

/** Whether the form is the one that the user of this session was asked with. */
async function isAnswered(
  { tokens }: OpenIdContext,
  { id }: FamilySession,
  { method }: RequestContext,
  given: URLSearchParams,
): Promise<boolean> {
  const asked = await tokens.read(questionType, given.get('question') ?? '');
  return method === 'POST' && asked?.['sid'] === id;
}

const names = ['id_token_hint', 'client_id', 'post_logout_redirect_uri', 'state'] as const;

function requestFrom(given: URLSearchParams): LogoutRequest {
  const [idTokenHint, clientId, redirectUri, state] = names.map((name) => {
    const value = given.get(name) ?? '';
    return value === '' ? undefined : value;
  });
  const isTwice = names.some((name) => given.getAll(name).length > 1);
  return { idTokenHint, clientId, redirectUri, state, isTwice };
}

/** What was found about a request. */
interface Checked {
  /** The session that the hint is of. */
  readonly sid?: string;
  readonly clientId?: string;
  /** Why the request is refused. */
  readonly fault?: string;
}

async function check(
  provider: Provider,
  { idTokenHint, clientId, redirectUri, isTwice }: LogoutRequest,
): Promise<Checked> {
  if (isTwice) return { fault: 'a parameter comes twice' };
  if (idTokenHint === undefined && clientId === undefined)
    return redirectUri === undefined
      ? {}
      : { fault: 'post_logout_redirect_uri needs id_token_hint or client_id' };
  const client = await clientOf(provider, idTokenHint, clientId);
  if (client === undefined) return { fault: 'the client is unknown, or not that of id_token_hint' };
  const known = { clientId: client.clientId };
  if (redirectUri !== undefined && !client.postLogoutRedirectUriAllowed(redirectUri))
    return { ...known, fault: 'post_logout_redirect_uri is not registered' };
  if (idTokenHint === undefined) return known;
  try {
    const { payload } = await provider.IdToken.validate(idTokenHint, client);
    return typeof payload['sid'] === 'string' ? { ...known, sid: payload['sid'] } : known;
  } catch {
    return { ...known, fault: 'id_token_hint is not valid' };
  }
}

async function clientOf(
  provider: Provider,
  idTokenHint: string | undefined,
  clientId: string | undefined,
): Promise<Client | undefined> {
  const audience = idTokenHint === undefined ? clientId : audienceOf(idTokenHint);
  if (audience === undefined || (clientId !== undefined && clientId !== audience)) return undefined;
  return provider.Client.find(audience);
}

/** The audience of a token that is not verified yet. */
function audienceOf(token: string): string | undefined {
  try {
    const { aud } = decodeJwt(token);
    return typeof aud === 'string' ? aud : undefined;
  } catch {
    return undefined;
  }
}

function addressAfter({ redirectUri, state }: LogoutRequest): string | null {
  if (redirectUri === undefined) return null;
  const address = new URL(redirectUri);
  if (state !== undefined) address.searchParams.set('state', state);
  return address.href;
}

/** A form that only this page can send, because it holds a token that is made for the session. */
function ask(
  { settings, tokens, language: accepted }: OpenIdContext,
  ctx: RequestContext,
  session: FamilySession,
  given: URLSearchParams,
): void {
  const [chosen] = cookiesNamed(ctx.req.headers.cookie, `${settings.openid?.cookiePrefix ?? ''}-language`);
  const browser = accepted === undefined ? [] : [accepted];
  // As many as of `Accept-Language`: reading thousands would stop the process for seconds.
  const asked = (given.get('ui_locales') ?? '').slice(0, 200).split(' ', 8).join(' ');
  const wish = new URLSearchParams({ ui_locales: asked }).toString();
  const language = chooseLanguage(settings.languages, chosen, wish, browser);
  const direction = directionOf(language) === 'rtl' ? ' dir="rtl"' : '';
  const until = new Date(settings.now() + questionSeconds * 1000);
  const fields = new URLSearchParams(given);
  fields.set('question', tokens.sign(questionType, { sid: session.id }, until));
  const inputs = [...fields].map(
    ([name, value]) => `<input type="hidden" name="${safe(name)}" value="${safe(value)}">`,
  );
  const [title, button, back] = [openIdTexts.signOutTitle, openIdTexts.signOut, openIdTexts.staySignedIn].map(
    (one) => safe(worded(one, language)),
  );
  ctx.status = 200;
  ctx.set('Content-Language', language);
  ctx.vary('Accept-Language');
  ctx.type = 'html';
  ctx.body = `<!doctype html><html lang="${safe(language)}"${direction}><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title ?? ''}</title>
<main><h1>${title ?? ''}</h1><form method="post" action="${endpoints.end_session}">${inputs.join('')}<button>${button ?? ''}</button></form>
<p><a href="${safe(settings.links.signOnUrl)}/account-settings">${back ?? ''}</a></p></main></html>`;
}

const safe = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${String(character.charCodeAt(0))};`);

async function signOut({ db, settings, audit }: OpenIdContext, id: string): Promise<void> {
  await inTransaction(db, async (trx) => {
    const ended = await trx
      .updateTable('sessions')
      .set({ ended_at: new Date(settings.now()), end_reason: 'signOut' })
      .where('ended_at', 'is', null)
      .where('id', '=', id)
      .returning(['uid', 'method'])
      .executeTakeFirst();
    if (ended !== undefined)
      await audit.record(trx, { event: openIdEvents['openid-sign-out'], outcome: 'success', ...ended });
  });
}
