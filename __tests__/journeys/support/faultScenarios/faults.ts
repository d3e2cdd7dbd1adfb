import type { ServiceCall } from './calls';

/** What is returned: a complete answer, a connection that breaks, or nothing. */
export type FaultyResponse =
  | 'nothing'
  | 'reset'
  | {
      readonly status: number;
      readonly type: 'application/json' | 'text/html';
      readonly body: string;
      readonly retryAfter?: string;
    };

/** One way in which the service, or a proxy in its place, can fail. */
export interface Fault {
  /** Head of the table's column. */
  readonly name: string;
  /** HTTP status; `null`: no response. */
  readonly status: number | null;
  /** `error.message` of the answer, if it has one. */
  readonly message?: string;
  readonly answer: (call: ServiceCall) => FaultyResponse;
}

/** Would run if it were ever treated as HTML: through the image's handler, or as a script. */
const markup = `<img src="x" onerror="window.__ran=1"><script>window.__ran=1</script>`;
const portal = `<!doctype html><title>Gateway</title><h1>Gateway</h1>${markup}`;
/** Twice what the application reads. */
const padding = ' '.repeat(2_000_000);

const html = (status: number): FaultyResponse => ({ status, type: 'text/html', body: portal });
const json = (status: number, body: string): FaultyResponse => ({ status, type: 'application/json', body });

function refusal(name: string, status: number, message: string): Fault {
  const answer = json(status, JSON.stringify({ error: { message } }));
  return { name, status, message, answer: () => answer };
}

const refusedWith = (status: number): Fault =>
  refusal(String(status), status, `The service refused with ${String(status)}.`);

/** As from a proxy: without a message of the service. */
const page = (name: string, status: number): Fault => ({ name, status, answer: () => html(status) });

/** A delay longer than any token's lifetime. */
const overrun: Fault = {
  ...refusedWith(429),
  answer: (call) => ({ ...asWhole(refusedWith(429).answer(call)), retryAfter: '86400' }),
};

function asWhole(answer: FaultyResponse): Exclude<FaultyResponse, string> {
  if (typeof answer === 'string') throw new Error('There is no response to add to.');
  return answer;
}

/** No fault. */
export const rightResponse: Fault = {
  name: 'right',
  status: 200,
  answer: ({ right }) => json(200, JSON.stringify(right)),
};

/** All of them; each is applied to every call of the contract. */
export const faults: readonly Fault[] = [
  { name: 'none', status: null, answer: () => 'nothing' },
  { name: 'reset', status: null, answer: () => 'reset' },
  refusedWith(400),
  refusedWith(401),
  refusedWith(403),
  page('404', 404),
  refusedWith(408),
  overrun,
  page('500', 500),
  page('html', 200),
  { name: 'empty', status: 200, answer: () => json(200, '') },
  { name: 'types', status: 200, answer: ({ wrong }) => json(200, JSON.stringify(wrong)) },
  // Valid apart from its length: reading it to the end would accept it.
  { name: 'megabytes', status: 200, answer: ({ right }) => json(200, JSON.stringify(right) + padding) },
  refusal('markup', 400, markup),
];
