import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Interaction, Provider } from 'oidc-provider';
import { readBody } from '../http/send.ts';
import type { EnvironmentPage } from '../http/page.ts';
import type { ProviderBehaviour } from './behaviour.ts';
import { consentPage, signInPage } from './pages.ts';
import { findByEmail, peoplesPassword, type Person } from './people.ts';
import type { ProviderName } from '../registration.ts';

/** What the pages of one provider are made from. */
export interface InteractionFacts {
  readonly name: ProviderName;
  readonly provider: Provider;
  readonly people: readonly Person[];
  readonly behaviour: () => ProviderBehaviour;
  /** The service's time, milliseconds since 1970. */
  readonly now: () => number;
  readonly send: (response: ServerResponse, page: EnvironmentPage, status?: number) => void;
}

const formLimitBytes = 8192;

/**
 * Shows the prompt of the provider, and takes the response of the person. The interaction is found by a cookie that
 * only its own path receives, so no other page can answer in the person's name.
 *
 * @throws SessionNotFound when the interaction is over or of another browser.
 */
export async function interact(
  facts: InteractionFacts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const interaction = await facts.provider.interactionDetails(request, response);
  const form =
    request.method === 'POST'
      ? new URLSearchParams((await readBody(request, formLimitBytes)).toString('utf8'))
      : new URLSearchParams();
  switch (form.get('answer')) {
    case 'sign-in':
      return signIn(facts, interaction, form, request, response);
    case 'allow':
      return allow(facts, interaction, request, response);
    case 'cancel':
      return facts.provider.interactionFinished(
        request,
        response,
        { error: 'access_denied', error_description: 'The person does not want to.' },
        { mergeWithLastSubmission: false },
      );
    case 'other':
      sendSignIn(facts, interaction, response, { email: '', refused: false });
      return;
    default:
      ask(facts, interaction, response);
  }
}

function ask(facts: InteractionFacts, interaction: Interaction, response: ServerResponse): void {
  const person = personOf(facts, interaction);
  if (interaction.prompt.name === 'consent' && person !== undefined) {
    facts.send(response, consentPage(facts.name, { action: addressOf(interaction), person }));
    return;
  }
  const hint = interaction.params['login_hint'];
  sendSignIn(facts, interaction, response, { email: typeof hint === 'string' ? hint : '', refused: false });
}

async function signIn(
  facts: InteractionFacts,
  interaction: Interaction,
  form: URLSearchParams,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const email = form.get('email') ?? '';
  const person = findByEmail(facts.people, email);
  if (person === undefined || form.get('password') !== peoplesPassword) {
    sendSignIn(facts, interaction, response, { email, refused: true });
    return;
  }
  await goOnAs(facts.provider, interaction, person.id, request, response);
  await facts.provider.interactionFinished(
    request,
    response,
    { login: { accountId: person.id, ts: authTime(facts) } },
    { mergeWithLastSubmission: false },
  );
}

/** Seconds since 1970. */
const authTime = ({ now, behaviour }: InteractionFacts): number =>
  Math.floor(now() / 1000) - (behaviour().trouble === 'stale' ? 3600 : 0);

async function allow(
  { provider }: InteractionFacts,
  interaction: Interaction,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { grantId, params, session } = interaction;
  if (session === undefined) throw new Error('No user is signed in who could agree.');
  const known = grantId === undefined ? undefined : await provider.Grant.find(grantId);
  const grant =
    known ?? new provider.Grant({ accountId: session.accountId, clientId: String(params['client_id']) });
  grant.addOIDCScope(String(params['scope']));
  await goOnAs(provider, interaction, session.accountId, request, response);
  await provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } });
}

function sendSignIn(
  { name, people, send }: InteractionFacts,
  interaction: Interaction,
  response: ServerResponse,
  { email, refused }: { readonly email: string; readonly refused: boolean },
): void {
  const action = addressOf(interaction);
  send(response, signInPage(name, { action, email, refused }, people), refused ? 401 : 200);
}

function personOf({ people }: InteractionFacts, { session }: Interaction): Person | undefined {
  return people.find(({ id }) => id === session?.accountId);
}

function addressOf({ uid }: Interaction): string {
  return `/interaction/${uid}`;
}

/**
 * Continues as the person who responded. Several windows of one browser may sign in several people at
 * once, but oidc-provider knows one session a browser: it would end the other window's question with an error, or
 * first sign the other person out on a page that works by an inline script, which the policy of these pages forbids.
 * So each person has a separate session, and the cookie names the one who responded last.
 */
async function goOnAs(
  provider: Provider,
  interaction: Interaction,
  personId: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const context = provider.createContext(request, response);
  const name = provider.cookieName('session');
  const options = { httpOnly: true, overwrite: true, sameSite: 'lax', path: '/' } as const;
  const { session } = interaction;
  if (session?.accountId === personId) {
    const own = await provider.Session.findByUid(session.uid);
    if (own !== undefined) context.cookies.set(name, own.jti, options);
    return;
  }
  if (session !== undefined) {
    delete interaction.session;
    await interaction.persist();
  }
  const present = await provider.Session.get(context);
  // Without the cookie a new session begins, and the session of the other person continues.
  if (present.accountId !== undefined && present.accountId !== personId)
    context.cookies.set(name, null, options);
}
