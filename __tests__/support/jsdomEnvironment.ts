import { TestEnvironment } from 'jest-environment-jsdom';

/** What browsers have and jsdom lacks; everything else is jsdom's own (AbortController, FormData, Blob, URL, Event). */
const missing = [
  'TextEncoder',
  'TextDecoder',
  'ReadableStream',
  'TransformStream',
  'WritableStream',
  'Request',
  'Response',
  'Headers',
  'fetch',
  'structuredClone',
  'BroadcastChannel',
] as const;

/**
 * jsdom with the missing globals filled in from Node. `jest-fixed-jsdom` is not used: it breaks
 * `addEventListener(…, { signal })` and leaves `crypto.subtle` undefined.
 */
export default class BrowserLikeEnvironment extends TestEnvironment {
  override exportConditions(): string[] {
    return [''];
  }

  override async setup(): Promise<void> {
    await super.setup();
    for (const name of missing) (this.global as Record<string, unknown>)[name] ??= globalThis[name];
    // One realm for bytes: Node's TextEncoder and webcrypto make Node's arrays.
    Object.assign(this.global, { Uint8Array, ArrayBuffer });
    Object.defineProperty(this.global, 'crypto', { value: globalThis.crypto, configurable: true });
  }
}
