import type { paths } from '@vestibule/contract/schema';
import axios, { type AxiosInstance, type AxiosRequestConfig } from 'axios';
import * as v from 'valibot';
import type { Clock } from '../ports/ports';
import { pageTexts } from '../texts';
import { ApiError } from './apiError';
import type { Decoder } from './decoder';
import { faultOf } from './httpFaults';

/** The time limit of a call, ms. It also ends a response that never ends (docs/behaviour.md#calls). */
const timeoutMs = 15_000;
/** Largest response that is read, bytes; the service sends less than 20 kB. */
const maxResponseBytes = 1_000_000;

/** The longest text that is sent as a segment of a path, as the contract says. Proxies cut off much longer addresses. */
const longestSegment = 512;

/** HTTP method of a call. */
type Verb = 'get' | 'post';

/** The paths of the contract that have this method. */
type PathOf<V extends Verb> = {
  [P in keyof paths]: paths[P] extends Record<V, object> ? P : never;
}[keyof paths];

/** The names in braces in the path: `/users/{uid}` → `uid`. */
type SegmentOf<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? Name | SegmentOf<Rest>
  : never;

/** The query of the call. */
type QueryOf<P extends PathOf<'get'>> = paths[P]['get'] extends {
  readonly parameters: { readonly query?: infer Query };
}
  ? Query
  : never;

/** The JSON body of the call. */
type BodyOf<P extends PathOf<'post'>> = paths[P]['post'] extends {
  readonly requestBody: { readonly content: { readonly 'application/json': infer Body } };
}
  ? Body
  : never;

/** The JSON body of a response with status 200. */
type ResponseOf<V extends Verb, P extends PathOf<V>> =
  paths[P] extends Record<V, { responses: { 200: { content: { readonly 'application/json': infer Body } } } }>
    ? Body
    : never;

interface Call<Body, Decoded> {
  readonly decoder: Decoder<Body, Decoded>;
  /** Reads a refusal with this status as a response, too. */
  readonly refusal?: { readonly status: number; readonly decoder: Decoder<unknown, Decoded> };
  /** The current session token, or in setup mode the `mfaToken`. */
  readonly bearer?: string;
  /** The time limit, ms; 15 s by default. */
  readonly timeoutMs?: number;
  /** The browser also completes the call, with its preflight, when the page is left. */
  readonly keepalive?: boolean;
  /** Aborts the call. */
  readonly signal?: AbortSignal;
}

/** The calls of the contract, one request each, without retries. Rejects with an `ApiError` only. */
export interface Http {
  readonly get: <P extends PathOf<'get'>, T>(
    path: P,
    call: Call<ResponseOf<'get', P>, T> & {
      readonly segments: Readonly<Record<SegmentOf<P>, string>>;
      /** A parameter that is `undefined` is left out. */
      readonly query?: QueryOf<P>;
    },
  ) => Promise<T>;
  readonly post: <P extends PathOf<'post'>, T>(
    path: P,
    call: Call<ResponseOf<'post', P>, T> & {
      readonly segments?: Readonly<Record<SegmentOf<P>, string>>;
      readonly body: BodyOf<P>;
    },
  ) => Promise<T>;
}

/** What the transport needs. */
export interface HttpOptions {
  /** Base of the service, without a trailing slash. */
  readonly serviceUrl: string;
  readonly clock: Clock;
}

/** Makes the transport. */
export function createHttp(options: HttpOptions): Http {
  const client = createClient(options);

  async function send<T>(
    { decoder, refusal, bearer, timeoutMs: timeout, signal }: Call<unknown, T>,
    request: AxiosRequestConfig,
  ): Promise<T> {
    const config: CallConfig = {
      ...request,
      ...(bearer !== undefined && { bearer }),
      ...(timeout !== undefined && { timeout }),
      ...(signal && { signal }),
      ...(refusal && { validateStatus: (status) => status < 300 || status === refusal.status }),
    };
    const { data, status } = await client.request<unknown>(config);
    const isRefusal = status === refusal?.status;
    const decoded = v.safeParse((isRefusal ? refusal : { decoder }).decoder.schema, data);
    if (!decoded.success) throw new ApiError(isRefusal ? 'server' : 'unexpected', { status });
    return decoded.output;
  }

  return {
    get: async (path, call) =>
      send(call, {
        method: 'get',
        url: fill(path, call.segments),
        params: call.query,
        // This is set for GET only. Browsers do not cache a POST, and Chromium would repeat every preflight.
        fetchOptions: { cache: 'no-store' },
      }),
    post: async (path, call) =>
      send(call, {
        method: 'post',
        url: fill(path, call.segments ?? {}),
        data: call.body,
        fetchOptions: { keepalive: call.keepalive ?? false },
      }),
  };
}

interface CallConfig extends AxiosRequestConfig {
  readonly bearer?: string;
}

/** Rejects with an `ApiError` only. */
function createClient({ serviceUrl, clock }: HttpOptions): AxiosInstance {
  const client = axios.create({
    // The XHR adapter cannot stop at a size limit; this one counts the bytes as they come.
    adapter: 'fetch',
    baseURL: serviceUrl,
    timeout: timeoutMs,
    maxContentLength: maxResponseBytes,
    // No cookies are sent, also to a service on the page's own host.
    withCredentials: false,
    // Otherwise such a service gets a cookie `XSRF-TOKEN` as a header, which another application of the domain has set.
    withXSRFToken: false,
    // A redirect would carry a password on to its target.
    fetchOptions: { redirect: 'error', referrerPolicy: 'no-referrer' },
    headers: {
      Accept: 'application/json',
      // axios sets this header. Firefox then lists it in the preflight, and the service refuses that.
      'User-Agent': false,
    },
  });
  client.interceptors.request.use(async (config) => {
    const { bearer, fetchOptions }: CallConfig = config;
    // The call starts in a new task, because axios takes longer than a frame on a slow processor, and the effect of a press
    // must be painted first. A page that is being left has no next task. A GET waits for a timer, because WebKit blocks the
    // window of a provider that is the only method after a message event.
    if (!fetchOptions?.keepalive) await clock.pause(config.method === 'get' ? 1 : 0);
    if (pageTexts.shown) config.headers.set('Accept-Language', pageTexts.shown.locale);
    if (bearer !== undefined) config.headers.set('Authorization', `Bearer ${bearer}`);
    return config;
  });
  client.interceptors.response.use(undefined, (error: unknown) => {
    throw faultOf(error, clock.now());
  });
  return client;
}

/** Replaces the names in braces by values, each as one segment. */
function fill(path: string, segments: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)\}/g, (_braces, name: string) => segment(segments[name] ?? ''));
}

/**
 * Opaque text as one segment of a path.
 *
 * @throws ApiError `unexpected` for what cannot be one: empty, `.` and `..` (which address parsers fold away, encoded or
 * not), text without a UTF-8 form, text over 512 characters. No request is made.
 */
function segment(text: string): string {
  const encoded = encode(text);
  if (encoded === null || /^\.{0,2}$/.test(text) || text.length > longestSegment)
    throw new ApiError('unexpected');
  return encoded;
}

function encode(text: string): string | null {
  try {
    return encodeURIComponent(text);
  } catch {
    return null; // An unpaired surrogate.
  }
}
