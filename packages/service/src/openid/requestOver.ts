import { ServiceError } from '../platform/errors.ts';
import type { ServiceContext } from '../platform/serviceContext.ts';
import { openIdTexts } from './openid.messages.ts';

declare module '../platform/errors.ts' {
  interface ErrorCodes {
    request_over: true;
  }
}

/** The failure of a request that is over, with the application where its sign-in begins anew. */
export async function requestOver(
  { clients }: Pick<ServiceContext, 'clients'>,
  clientId: string | undefined,
): Promise<ServiceError> {
  const client = clientId === undefined ? null : await clients.find(clientId);
  const application =
    client === null
      ? {}
      : { application: { name: client.name, url: client.initiateLoginUri ?? client.url ?? null } };
  return new ServiceError(404, 'request_over', openIdTexts.requestOver, undefined, undefined, application);
}
