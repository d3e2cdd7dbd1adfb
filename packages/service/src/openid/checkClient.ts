import type { errors } from 'oidc-provider';
import type { Client } from '../platform/clients/clients.ts';
import { CommandError } from '../platform/commandError.ts';
import type { ServiceContext } from '../platform/serviceContext.ts';
import { createOpenId } from './endpoints.ts';

/**
 * Lets the library read a client.
 *
 * @throws CommandError with the reason of a refusal.
 */
export async function checkClient(context: ServiceContext, client: Client): Promise<void> {
  if (context.settings.openid === undefined) return;
  const clients = { ...context.clients, find: () => Promise.resolve(client) };
  const { Client: models } = await createOpenId(() => ({ ...context, clients })).provider();
  await models.find(client.id).catch((error: unknown) => {
    const { error_description: description, error_detail: detail } =
      error as Partial<errors.OIDCProviderError>;
    if (description === undefined) throw error;
    const reason = [description, detail].filter((part) => part !== undefined).join(': ');
    throw new CommandError(`OpenID Connect refuses the client: ${reason}.`);
  });
}
