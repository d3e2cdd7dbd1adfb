import type { FastifyRequest } from 'fastify';
import { callerGone } from '../errors.ts';
import { networkOf } from './network.ts';
import type { Caller } from './operations.ts';

/** Characters of `User-Agent`; browsers send about half of it. */
const maxDeviceLength = 256;

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
