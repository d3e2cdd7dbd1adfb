import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Interaction, Provider } from 'oidc-provider';

/**
 * Lets the browser go on as the person who answered. Several windows of one browser may sign in several people at
 * once, but oidc-provider knows one session a browser: it would end the other window's question with an error, or
 * first sign the other person out on a page that works by an inline script, which the policy of these pages forbids.
 * So each person keeps a session of their own, and the cookie names the one whose question was answered last.
 */
export async function goOnAs(
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
  // Without the cookie a new session begins; the other person's stays where it is.
  if (present.accountId !== undefined && present.accountId !== personId)
    context.cookies.set(name, null, options);
}
