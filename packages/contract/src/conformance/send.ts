import { Fault, type ClientCredentials, type OpenStream, type Send } from './checks.ts';

/** Sends calls to a service over HTTP, without redirects and retries; timeout 15 s. */
export function sender(baseUrl: string): Send {
  return async (operation, { params = {}, query = {}, body, rawBody, bearer, client, key }) => {
    const path = operation.path.replace(/\{(\w+)\}/g, (_all, name: string) =>
      encodeURIComponent(params[name] ?? ''),
    );
    const payload = rawBody ?? (body === undefined ? undefined : JSON.stringify(body));
    const search = new URLSearchParams(query).toString();
    const response = await fetch(`${baseUrl}${path}${search === '' ? '' : `?${search}`}`, {
      method: operation.method.toUpperCase(),
      redirect: 'error',
      signal: AbortSignal.timeout(15_000),
      headers: {
        ...(payload === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(bearer === undefined ? {} : { Authorization: `Bearer ${bearer}` }),
        ...(client === undefined ? {} : { Authorization: basic(client) }),
        ...(key === undefined ? {} : { 'Idempotency-Key': key }),
      },
      ...(payload === undefined ? {} : { body: payload }),
    });
    return { status: response.status, headers: response.headers, body: parsed(await response.text()) };
  };
}

/** RFC 6749, section 2.3.1. */
const basic = ({ id, secret }: ClientCredentials): string =>
  `Basic ${Buffer.from([id, secret].map(encodeURIComponent).join(':')).toString('base64')}`;

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

/** Opens event streams of a service. Gives up after 15 s without a response. */
export function streamOpener(baseUrl: string): OpenStream {
  return async ({ path }, bearer) => {
    const leaving = new AbortController();
    const limit = setTimeout(() => {
      leaving.abort();
    }, 15_000);
    const { status, headers, body } = await fetch(`${baseUrl}${path}`, {
      redirect: 'error',
      signal: leaving.signal,
      headers: { Accept: 'text/event-stream', Authorization: `Bearer ${bearer}` },
    }).finally(() => {
      clearTimeout(limit);
    });
    let said = '';
    let isOver = false;
    const reading = (async () => {
      const decoder = new TextDecoder();
      for await (const bytes of body ?? []) said += decoder.decode(bytes, { stream: true });
    })();
    reading
      .catch(() => undefined)
      .finally(() => {
        isOver = true;
      });
    const wait = async (what: string, atMostMs: number, isThere: () => boolean): Promise<void> => {
      const end = performance.now() + atMostMs;
      while (!isThere()) {
        if (performance.now() > end) throw new Fault(`${what} did not come within ${atMostMs / 1000} s`);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    };
    const dataOf = (event: string): string | undefined =>
      said
        .split(/\r?\n\r?\n/)
        .slice(0, -1)
        .map((block) => /^event: ?(.*)\r?\ndata: ?(.*)$/.exec(block))
        .find((found) => found?.[1] === event)?.[2];
    return {
      status,
      headers,
      firstBytes: async (atMostMs) => {
        await wait('the first line', atMostMs, () => said !== '');
        return said;
      },
      until: async (event, atMostMs) => {
        await wait(event, atMostMs, () => dataOf(event) !== undefined);
        return parsed(dataOf(event) ?? '');
      },
      untilEnd: (atMostMs) => wait('the end of the stream', atMostMs, () => isOver),
      hasSaid: (event) => dataOf(event) !== undefined,
      close: () => {
        leaving.abort();
      },
    };
  };
}
