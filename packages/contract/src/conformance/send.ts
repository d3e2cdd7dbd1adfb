import type { Send } from './checks.ts';

/** Sends calls to a service over HTTP, without redirects and retries; timeout 15 s. */
export function sender(baseUrl: string): Send {
  return async (operation, { params = {}, body, rawBody, bearer }) => {
    const path = operation.path.replace(/\{(\w+)\}/g, (_all, name: string) =>
      encodeURIComponent(params[name] ?? ''),
    );
    const payload = rawBody ?? (body === undefined ? undefined : JSON.stringify(body));
    const response = await fetch(`${baseUrl}${path}`, {
      method: operation.method.toUpperCase(),
      redirect: 'error',
      signal: AbortSignal.timeout(15_000),
      headers: {
        ...(payload === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(bearer === undefined ? {} : { Authorization: `Bearer ${bearer}` }),
      },
      ...(payload === undefined ? {} : { body: payload }),
    });
    return { status: response.status, headers: response.headers, body: parsed(await response.text()) };
  };
}

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}
