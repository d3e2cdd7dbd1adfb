import { clientRefused } from '../errors.ts';
import { rateLimited } from '../../platform/errors.ts';
import { digestOf } from '../limits/attemptKeys.ts';
import { countedMessages, countMessage } from '../limits/messageCounts.ts';
import type { ServiceContext } from '../context.ts';
import type { Client } from './clients.ts';

/**
 * Reads the client of a call from the `Authorization` header: HTTP Basic with its id and its secret, both form-encoded (RFC 6749,
 * section 2.3.1). Wrong secrets count by client and network, so that others cannot lock out the client.
 *
 * @param network see `networkOf`.
 * @throws ServiceError 401 `unauthorized`; 429 `rate_limited` after too many wrong secrets in a minute.
 */
export async function readClient(
  { db, settings, clients }: ServiceContext,
  authorization: string | undefined,
  network: string,
): Promise<Client> {
  const { id, secret } = credentialsIn(authorization);
  const client = await clients.find(id);
  if (client === null) throw clientRefused();
  const subject = digestOf(`client secret:${id}:${network}`);
  const most = settings.rateLimit === 'off' ? Infinity : settings.rateLimit.secretChecksPerMinute;
  if ((await countedMessages({ db, settings }, subject)) >= most) throw rateLimited(60);
  if (await clients.hasSecret(id, secret)) return client;
  await countMessage({ db, settings }, subject, { most, windowSeconds: 60 });
  throw clientRefused();
}

function credentialsIn(authorization: string | undefined): { readonly id: string; readonly secret: string } {
  const encoded = /^Basic ([A-Za-z0-9+/]{1,2048}={0,2})$/i.exec(authorization ?? '')?.[1] ?? '';
  const [, id, secret] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString('utf8')) ?? [];
  if (id === undefined || secret === undefined) throw clientRefused();
  try {
    return { id: decoded(id), secret: decoded(secret) };
  } catch {
    throw clientRefused();
  }
}

const decoded = (text: string): string => decodeURIComponent(text.replaceAll('+', ' '));
