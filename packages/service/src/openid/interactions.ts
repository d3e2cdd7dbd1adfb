import type Provider from 'oidc-provider';
import type { InteractionResults } from 'oidc-provider';
import type { Client } from '../core/clients/clients.ts';
import type { OpenIdContext } from './context.ts';
import { openIdTables } from './tables.ts';
import { openIdEvents } from './events.ts';
import { acrOf, levelOf } from '../session/authentication.ts';
import { artifactHash, writeArtifact } from './artifacts.ts';
import { answerIn, readFacts, type Facts, type Params, type RequestDetails } from './facts.ts';
import { expireEndedSession, sessionOf, type FamilySession, type RequestContext } from './familySession.ts';

/** How long a request waits for its user, in seconds: long enough for a reset of the password. */
export const interactionSeconds = 1800;
/** How long a consent is remembered, in seconds. */
const consentSeconds = 365 * 86_400;
/** Where the browser goes on with a request, as the library's `interactions.url` says. */
export const interactionPath = '/oidc/interaction';

/** An authorization request that waits for its user, as the library stores it. */
interface StoredInteraction {
  readonly params: object;
  readonly prompt: { readonly details: object };
  readonly result?: object | undefined;
}

/** An open request, as the user of a session finds it. */
export interface OpenRequest extends Facts {
  readonly client: Client;
}

/** The id in the address: that of the interaction, and of its client, which is known even when the request is over. */
export const idIn = (uid: string, params: object): string =>
  `${uid}~${String((params as Params)['client_id'])}`;

/** @param isAnswered whether an answer of the user counts. @returns `null` if the client was removed. */
export async function readRequest(
  context: OpenIdContext,
  session: FamilySession,
  { params, prompt, result }: StoredInteraction,
  isAnswered: boolean,
): Promise<OpenRequest | null> {
  const client = await context.clients.find((params as Params)['client_id'] ?? '');
  if (client === null) return null;
  const facts = await readFacts(context, session, {
    params: params as Params,
    client: { ...client, isPublic: client.authentication === 'none' },
    details: prompt.details as RequestDetails,
    answer: isAnswered ? answerIn(result) : undefined,
  });
  return { ...facts, client };
}

/**
 * `GET /oidc/interaction/{id}`: where the library sends the browser with a request that needs the user. It goes on to the application
 * where nothing is missing, otherwise to the page, and comes back from there. Only the browser with the cookie of the request can go on.
 *
 * @param context of the call.
 */
export async function interact(
  provider: Provider,
  context: OpenIdContext,
  ctx: RequestContext,
  address: string,
): Promise<void> {
  const { issuer, links } = context.settings;
  const session = await sessionOf(ctx);
  const go = (to: string): void => {
    ctx.status = 303;
    ctx.redirect(to);
  };
  const [id = '', clientId = ''] = address.split('~');
  const interaction = await provider.Interaction.find(id);
  if (session === null) {
    await expireEndedSession(context, ctx);
    go(
      `${links.signOnUrl}/login?${loginQuery(`${issuer}${interactionPath}/${address}`, interaction?.params)}`,
    );
    return;
  }
  const isOfBrowser = ctx.cookies.get(provider.cookieName('interaction')) === id;
  const open =
    isOfBrowser && interaction !== undefined ? await readRequest(context, session, interaction, true) : null;
  const answer = answerIn(interaction?.result);
  const own = answer?.sessionId === session.id ? answer : undefined;
  if (interaction === undefined || open === null || (open.prompts.length > 0 && own?.isDenied !== true)) {
    if (open !== null) await claim(context, id, session.id);
    // Another browser is told that the request is over, and for which application.
    const shown = isOfBrowser ? address : `over~${clientId}`;
    go(`${links.signOnUrl}/continue/${encodeURIComponent(shown)}`);
    return;
  }
  const { at, amr } = own?.proof ?? open.authentication;
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
async function claim({ db }: OpenIdContext, id: string, sessionId: string): Promise<void> {
  await openIdTables(db)
    .updateTable('openid_artifacts')
    .set({ session_id: sessionId })
    .where('id_hash', '=', artifactHash('Interaction', id))
    .execute();
}

async function rememberConsent(
  context: OpenIdContext,
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
    event: openIdEvents['openid-consent'],
    outcome: 'success',
    uid,
    method: clientId,
  });
}
