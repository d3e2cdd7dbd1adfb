import type { ServiceContext } from '../platform/serviceContext.ts';
import type { FamilySession } from './familySession.ts';
import { demandOf, standingOf, type InteractionAnswer, type InteractionDetails } from './interactions.ts';
import type { Library, OidcContext } from './library.ts';
import { isUnmet, needsOf, type Demand, type Standing } from './needs.ts';

/** The session of a request that oidc-provider carries out; `null` without one. */
export type SessionOf = (ctx: OidcContext) => FamilySession | null;

/** When a request came, also if it has been interrupted by a sign-in since. */
function requestOf(ctx: OidcContext): InteractionDetails | null {
  const { Interaction: interaction } = ctx.oidc.entities;
  if (interaction === undefined) return null;
  return interaction.prompt.details as unknown as InteractionDetails;
}

const answerOf = ({ oidc }: OidcContext): InteractionAnswer | null =>
  (oidc.result?.['answer'] as InteractionAnswer | undefined) ?? null;

interface Facts {
  readonly demand: Demand;
  readonly standing: Standing;
}

/** Reads what decides about a request, once; `null` without a session. */
export function factsReader(
  context: ServiceContext,
  sessionOf: SessionOf,
): (ctx: OidcContext) => Promise<Facts | null> {
  const known = new WeakMap<OidcContext, Promise<Facts | null>>();
  const read = async (ctx: OidcContext): Promise<Facts | null> => {
    const session = sessionOf(ctx);
    if (session === null) return null;
    const { client, params } = ctx.oidc;
    const demand = demandOf(context, params, {
      consent: client.consent === true,
      acr: client.acr,
      isPublic: client.clientAuthMethod === 'none',
    });
    return {
      demand,
      standing: await standingOf(
        context,
        session,
        { id: client.clientId, consent: client.consent === true },
        requestOf(ctx),
        answerOf(ctx),
      ),
    };
  };
  return (ctx) => {
    const facts = known.get(ctx) ?? read(ctx);
    known.set(ctx, facts);
    return facts;
  };
}

/**
 * Which requests need the user: those without a session, those that need a proof of identity, and those that need consent. Requests
 * that no user can fulfil are refused.
 *
 * @param limit throws if there are too many from this network.
 */
export function interactionPolicyOf(
  { interactionPolicy: { Check, Prompt }, errors }: Library,
  { settings }: Pick<ServiceContext, 'settings'>,
  factsOf: ReturnType<typeof factsReader>,
  limit: (ctx: OidcContext) => Promise<void>,
): readonly object[] {
  const needs = async (ctx: OidcContext, need: 'identity' | 'consent'): Promise<boolean> => {
    const known = await factsOf(ctx);
    if (known === null) return false;
    return needsOf(known.demand, known.standing, settings.now()).includes(need);
  };
  const details = async (ctx: OidcContext): Promise<InteractionDetails> => {
    // The request is stored now, unless the application wants an error instead.
    if (!ctx.oidc.prompts.has('none')) await limit(ctx);
    const request = requestOf(ctx);
    return { requestedAt: request?.requestedAt ?? settings.now(), isFresh: request?.isFresh === true };
  };
  const login = new Prompt(
    { name: 'login', requestable: true },
    details,
    new Check('no_session', 'the user is not signed in', ({ oidc }) => oidc.account === undefined),
    new Check('other_user', 'another user is signed in', ({ oidc }) => {
      const hinted = oidc.entities.IdTokenHint?.payload['sub'];
      if (hinted !== undefined && oidc.account !== undefined && hinted !== oidc.account.accountId)
        throw new errors.LoginRequired('another user is signed in');
      return false;
    }),
    new Check('persona', 'the user may not enter the application', ({ oidc: { client, account } }) => {
      if (client.persona !== undefined && account?.personas.includes(client.persona) === false)
        throw new errors.AccessDenied('the user may not enter this application');
      return false;
    }),
    new Check('identity', 'the user has to prove the identity', async (ctx) => {
      const known = await factsOf(ctx);
      if (known !== null && isUnmet(known.demand, known.standing))
        throw new errors.UnmetAuthenticationRequirements('the level of authentication was not reached');
      return needs(ctx, 'identity');
    }),
  );
  // Whether a sign-in or a proof is enough for `prompt=login` is decided above.
  login.checks.remove('login_prompt');
  const consent = new Prompt(
    { name: 'consent', requestable: true },
    details,
    new Check('consent', 'the user has not agreed yet', (ctx) => needs(ctx, 'consent')),
  );
  consent.checks.remove('consent_prompt');
  return Object.assign([login, consent], {
    get: (name: string) => [login, consent].find((prompt) => prompt.name === name),
  });
}
