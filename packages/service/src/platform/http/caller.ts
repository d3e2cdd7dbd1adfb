import type { FastifyRequest } from 'fastify';
import { callerGone } from '../errors.ts';
import { networkOf } from './network.ts';

/** Characters of `User-Agent`; browsers send about half of it. */
const maxDeviceLength = 256;

/** The caller, for limits and queues. */
export interface Caller {
  /** The network by which limits count the client, see `networkOf`. */
  readonly network: string;
  /** The `User-Agent`: at most 256 characters, with '?' for non-ASCII ones; `null` without the header. */
  readonly device: string | null;
  /** The language that the caller accepts; `undefined` if there is none, and where the deployment has only English. */
  readonly language: string | undefined;
  /** Aborted with `callerGone` if the caller hangs up before the response was sent. */
  readonly gone: AbortSignal;
  /** `performance.now()` at the arrival of the call, in ms. */
  readonly arrived: number;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The language that the caller accepts; `undefined` if there is none, and where the deployment has only English. */
    readonly accepted: string | undefined;
  }
}

/** The caller of a request. What only some calls need is made when it is first read. */
export class RequestCaller implements Caller {
  readonly network: string;
  readonly arrived = performance.now();
  readonly #request: Pick<FastifyRequest, 'headers' | 'accepted'>;
  #isGone = false;
  #gone: AbortController | undefined;

  constructor(request: Pick<FastifyRequest, 'ip' | 'headers' | 'accepted'>) {
    this.network = networkOf(request.ip);
    this.#request = request;
  }

  get device(): string | null {
    const { 'user-agent': device = null } = this.#request.headers;
    return device?.slice(0, maxDeviceLength).replace(/[^\x20-\x7e]/g, '?') ?? null;
  }

  get language(): string | undefined {
    return this.#request.accepted;
  }

  get gone(): AbortSignal {
    if (this.#gone === undefined) {
      this.#gone = new AbortController();
      if (this.#isGone) this.#gone.abort(callerGone);
    }
    return this.#gone.signal;
  }

  /** The caller has hung up. */
  hangUp(): void {
    this.#isGone = true;
    this.#gone?.abort(callerGone);
  }
}
