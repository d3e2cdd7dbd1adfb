// @ts-check

/** How long nothing may be under way for the network to count as idle, ms. */
const quietMs = 500;
const patienceMs = 60_000;

/** @typedef {import('@playwright/test').Request} Request */

/**
 * @typedef {object} Exchange
 * @property {URL} url
 * @property {boolean} isDocument
 * @property {number} startedAt - ms since 1970; `Infinity` while there is no response
 * @property {number} status - 0 while there is no response
 * @property {Record<string, string>} headers - of the answer, names in lower case
 */

/** Notes every request of a page, its icon too (but not `/favicon.ico`, which browsers try on their own account). */
export class NetworkLog {
  /** @type {Map<Request, Exchange>} */
  #exchanges = new Map();
  /** @type {Set<Request>} */
  #pending = new Set();
  /** @type {Set<() => void>} */
  #listeners = new Set();

  /** @param {import('@playwright/test').Page} page */
  constructor(page) {
    page.on('request', (request) => {
      if (!/^https?:/.test(request.url())) return;
      this.#exchanges.set(request, {
        url: new URL(request.url()),
        isDocument: request.resourceType() === 'document',
        startedAt: Infinity,
        status: 0,
        headers: {},
      });
      this.#change(() => this.#pending.add(request));
    });
    page.on('response', (response) => {
      const exchange = this.#exchanges.get(response.request());
      if (exchange === undefined) return;
      exchange.startedAt = response.request().timing().startTime;
      exchange.status = response.status();
      exchange.headers = response.headers();
    });
    page.on('requestfinished', (request) => this.#change(() => this.#pending.delete(request)));
    page.on('requestfailed', (request) => this.#change(() => this.#pending.delete(request)));
  }

  /** @returns {readonly Exchange[]} in the order of the requests. */
  get exchanges() {
    return [...this.#exchanges.values()];
  }

  /** Resolves once the network has been idle for half a second. */
  async untilIdle() {
    const { promise, resolve, reject } = withResolvers();
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let quiet;
    const patience = setTimeout(() => reject(new Error(this.#stillPending())), patienceMs);
    const arm = () => {
      clearTimeout(quiet);
      if (this.#pending.size === 0) quiet = setTimeout(resolve, quietMs);
    };
    this.#listeners.add(arm);
    arm();
    try {
      await promise;
    } finally {
      this.#listeners.delete(arm);
      clearTimeout(patience);
      clearTimeout(quiet);
    }
  }

  /** @param {() => void} apply */
  #change(apply) {
    apply();
    for (const listener of this.#listeners) listener();
  }

  #stillPending() {
    const urls = [...this.#pending].map((request) => request.url());
    return `The network has not been idle within ${patienceMs / 1000} s. Under way: ${urls.join(', ')}`;
  }
}

/** `Promise.withResolvers`, which Node.js 20 lacks. */
function withResolvers() {
  /** @type {() => void} */
  let resolve = () => undefined;
  /** @type {(error: Error) => void} */
  let reject = () => undefined;
  /** @type {Promise<void>} */
  const promise = new Promise((onResolved, onRejected) => {
    resolve = onResolved;
    reject = onRejected;
  });
  return { promise, resolve, reject };
}
