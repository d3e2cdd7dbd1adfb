import type { IncomingMessage } from 'node:http';

interface WithRawSecret extends IncomingMessage {
  rawSecret?: string;
}

/** The secret of a client in `Authorization` without form decoding; `undefined` if decoding changes nothing. */
export const rawSecretOf = ({ req }: { readonly req: IncomingMessage }): string | undefined =>
  (req as WithRawSecret).rawSecret;

/**
 * Many clients send id and secret by Basic without the form encoding that OAuth asks for (RFC 6749 §2.3.1). Keeps the secret as it was
 * sent, and encodes what the library could not decode.
 */
export function keepRawSecret(request: WithRawSecret): void {
  const [, encoded = ''] = /^basic ([\w+/]+={0,2})$/i.exec(request.headers.authorization ?? '') ?? [];
  const [, id, secret] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString('utf8')) ?? [];
  if (id === undefined || secret === undefined || !/[+%]/.test(secret)) return;
  request.rawSecret = secret;
  try {
    // The library refuses other characters than these.
    if (/[^ -~]/.test(decodeURIComponent(secret))) throw new URIError();
  } catch {
    const pair = `${id}:${encodeURIComponent(secret)}`;
    request.headers.authorization = `Basic ${Buffer.from(pair).toString('base64')}`;
  }
}
