import { readBody } from './send.ts';
import { familyDomain } from '../hosts.ts';
import { requestFrom } from './httpProxy.ts';

/**
 * `fetch` for calls of a Node process to the hosts of this environment. Node does not resolve `*.localhost` everywhere, so the
 * request goes to this machine with the name in the Host header, as a browser's would.
 *
 * @param port Port of the environment; any other address is refused.
 */
export function loopbackFetch(port: number): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const url = new URL(request.url);
    const isOurs =
      url.hostname.endsWith(`.${familyDomain}`) && (url.port === '' ? '80' : url.port) === String(port);
    if (!isOurs) throw new TypeError(`${url.host} is no host of this environment.`);
    const answered = await requestFrom(
      port,
      {
        method: request.method,
        path: url.pathname + url.search,
        headers: { ...Object.fromEntries(request.headers), host: url.host },
        signal: request.signal,
      },
      Buffer.from(await request.arrayBuffer()),
    );
    const headers = new Headers();
    for (const [name, value] of Object.entries(answered.headers)) {
      if (typeof value === 'string') headers.set(name, value);
    }
    const body = await readBody(answered);
    const status = answered.statusCode ?? 502;
    return new Response(status === 204 || status === 304 ? null : new Uint8Array(body), { status, headers });
  };
}
