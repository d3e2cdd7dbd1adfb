import type { ForeignContext } from '../platform/http/foreignRoutes.ts';
import type { ServiceContext } from '../platform/serviceContext.ts';
import type { Library, OidcContext, Provider } from './library.ts';

/** The call of the service that a request of the library belongs to. */
export type CallOf = (ctx: OidcContext) => ForeignContext;

/** Refuses what exceeds a limit of the caller's network, before anything is stored or compared. */
export const limiter =
  ({ errors }: Library, callOf: CallOf) =>
  async (ctx: OidcContext, ...given: Parameters<ForeignContext['limit']>): Promise<void> => {
    const seconds = await callOf(ctx).limit(...given);
    if (seconds === null) return;
    ctx.res.setHeader('Retry-After', String(seconds));
    const status = 429;
    throw Object.assign(new errors.TemporarilyUnavailable('too many requests'), {
      status,
      statusCode: status,
    });
  };

/** Compares the hashes of secrets. Wrong ones count by client and network, so that others cannot lock out the client. */
export function limitSecrets(
  library: Library,
  { Client }: Provider,
  { clients }: ServiceContext,
  callOf: CallOf,
): void {
  const limit = limiter(library, callOf);
  Client.prototype['compareClientSecret'] = async function compare(
    this: { readonly clientId: string },
    secret: string,
  ): Promise<boolean> {
    const { ctx } = library.Provider;
    if (ctx === undefined) return false;
    const subject = `secret of ${this.clientId}`;
    await limit(ctx, subject, { increment: false });
    if (await clients.hasSecret(this.clientId, secret)) return true;
    await callOf(ctx).limit(subject);
    return false;
  };
}
