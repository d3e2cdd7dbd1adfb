import { decodeJwt } from 'jose';
import type Provider from 'oidc-provider';
import type { Client as ProviderClient, errors, interactionPolicy, KoaContextWithOIDC } from 'oidc-provider';
import type { OpenIdContext } from './context.ts';
import { answerIn, readFacts, type Facts, type Params, type RequestDetails } from './facts.ts';
import { sessionOf } from './familySession.ts';
import { isUnmet, type Prompt } from './prompts.ts';

/** oidc-provider, loaded when it is first needed: without OpenID it takes neither time nor memory. */
export interface Library {
  readonly default: typeof Provider;
  readonly errors: typeof errors;
  readonly interactionPolicy: typeof interactionPolicy;
}

/** What the metadata of a client have in addition to those of the library. */
export interface OwnMetadata {
  readonly consent?: boolean;
  readonly persona?: string;
  readonly acr?: string;
}

/** The client of a request, which the library has found. */
export const clientOf = ({ oidc }: KoaContextWithOIDC): ProviderClient & OwnMetadata => {
  if (oidc.client === undefined) throw new Error('The request has no client.');
  return oidc.client;
};

/** When a request came, also if it has been interrupted by a sign-in since. */
const detailsOf = ({ oidc }: KoaContextWithOIDC): RequestDetails | undefined =>
  oidc.entities.Interaction?.prompt.details as RequestDetails | undefined;

/** What decides about a request, read once; `null` without a session. */
export function factsOf(context: OpenIdContext, ctx: KoaContextWithOIDC): Promise<Facts | null> {
  const state = ctx.state as { facts?: Promise<Facts | null> };
  return (state.facts ??= factsIn(context, ctx));
}

async function factsIn(context: OpenIdContext, ctx: KoaContextWithOIDC): Promise<Facts | null> {
  const { params = {}, session, result } = ctx.oidc;
  const family = await sessionOf(ctx);
  if (family === null || session?.accountId !== family.uid) return null;
  const { clientId: id, consent = false, acr, clientAuthMethod } = clientOf(ctx);
  return readFacts(context, family, {
    params: params as Params,
    client: { id, consent, acr, isPublic: clientAuthMethod === 'none' },
    authentication: { at: (session.loginTs ?? 0) * 1000, amr: session.amr ?? [] },
    details: detailsOf(ctx),
    answer: answerIn(result),
  });
}

/** The user of `id_token_hint`, which the library has verified before it stored the request. */
function hintedUserOf({ oidc }: KoaContextWithOIDC): unknown {
  const stored = oidc.entities.Interaction?.params['id_token_hint'];
  return typeof stored === 'string' ? decodeJwt(stored).sub : oidc.entities.IdTokenHint?.payload['sub'];
}

/**
 * Which requests need the user: those without a session, those that need a proof of identity, and those that need consent. Requests
 * that no user can fulfil are refused.
 *
 * @param limit throws if too many of this network wait for their users.
 */
export function policyOf(
  { interactionPolicy: { base, Check, Prompt: LibraryPrompt }, errors }: Library,
  context: OpenIdContext,
  limit: (ctx: KoaContextWithOIDC) => void,
): interactionPolicy.DefaultPolicy {
  const { now } = context.settings;
  const needs = (prompt: Prompt) => async (ctx: KoaContextWithOIDC) =>
    (await factsOf(context, ctx))?.prompts.includes(prompt) === true;
  const details = (ctx: KoaContextWithOIDC): RequestDetails => {
    // The request is stored now, unless the application wants an error instead.
    if (!ctx.oidc.prompts.has('none')) limit(ctx);
    return detailsOf(ctx) ?? { requestedAt: now(), isFresh: false };
  };
  const prompt = (name: Prompt, ...checks: readonly interactionPolicy.Check[]) => {
    const made = new LibraryPrompt({ name, requestable: true }, (ctx) => ({ ...details(ctx) }), ...checks);
    // Whether an answer is enough for `prompt` is decided by `promptsOf`.
    made.checks.remove(`${name}_prompt`);
    return made;
  };
  const policy = base();
  policy.clear();
  policy.add(
    prompt(
      'login',
      new Check('no_session', 'the user is not signed in', 'login_required', async (ctx) => {
        return (await factsOf(context, ctx)) === null;
      }),
      new Check('other_user', 'another user is signed in', async (ctx) => {
        const hinted = hintedUserOf(ctx);
        const family = await sessionOf(ctx);
        if (hinted !== undefined && family !== null && hinted !== family.uid)
          throw new errors.LoginRequired('another user is signed in');
        return false;
      }),
      new Check('persona', 'the user may not enter the application', (ctx) => {
        const { persona } = clientOf(ctx);
        const { account } = ctx.oidc;
        const personas = (account?.['personas'] ?? []) as readonly string[];
        if (persona !== undefined && account !== undefined && !personas.includes(persona))
          throw new errors.AccessDenied('the user may not enter this application');
        return false;
      }),
      new Check('login', 'the user has to prove the identity', 'login_required', async (ctx) => {
        const facts = await factsOf(context, ctx);
        if (facts !== null && isUnmet(facts.request, facts.user))
          throw new errors.UnmetAuthenticationRequirements('the level of authentication was not reached');
        return needs('login')(ctx);
      }),
    ),
  );
  policy.add(
    prompt(
      'select_account',
      new Check(
        'account',
        'the user has to choose the account',
        'account_selection_required',
        needs('select_account'),
      ),
    ),
  );
  policy.add(
    prompt(
      'consent',
      new Check('consent', 'the user has not agreed yet', 'consent_required', needs('consent')),
    ),
  );
  return policy;
}

/** Remembers that the user was asked for a level that the proof did not reach, so that the next request does not ask again. */
export async function noteLevelAsked(context: OpenIdContext, ctx: KoaContextWithOIDC): Promise<void> {
  const facts = await factsOf(context, ctx);
  const { session } = ctx.oidc;
  if (facts === null || session === undefined || facts.user.acr >= facts.request.acrValues) return;
  if (!facts.user.hasProved && !facts.user.isFresh) return;
  const { clientId } = clientOf(ctx);
  session.ensureClientContainer(clientId);
  Object.assign(session.authorizationFor(clientId), { wasAsked: true });
}
