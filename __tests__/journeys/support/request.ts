import http from 'node:http';

/** One request to a host of the environment. */
export interface EnvironmentRequest {
  readonly method: string;
  /** Path with query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
}

/** The response; the body as text. */
export interface EnvironmentAnswer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

/**
 * Sends a request to a host of the environment from outside the browser. By address and Host header, because Node does not resolve
 * `*.localhost` everywhere.
 */
export async function requestOf(
  port: number,
  host: string,
  { method, path, headers, body }: EnvironmentRequest,
): Promise<EnvironmentAnswer> {
  return await new Promise((resolve, reject) => {
    const request = http.request(
      {
        host: '127.0.0.1',
        port,
        method,
        path,
        headers: { host, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
        agent: false,
      },
      (response) => {
        response.setEncoding('utf8');
        let text = '';
        response.on('data', (chunk: string) => (text += chunk));
        response.once('error', reject);
        response.once('end', () => {
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text });
        });
      },
    );
    request.once('error', reject);
    request.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
