import type { Log } from '../ports';

/**
 * The errors whose message quotes no data. Others do: `SyntaxError` of `JSON.parse` and `ValiError` quote their input, and
 * `DOMException` of `history` quotes the address.
 */
const quotesNothing: readonly string[] = ['Error', 'TypeError', 'RangeError', 'ReferenceError', 'ApiError'];
const longestMessage = 300;

/**
 * Writes diagnostics to the console, without what an error quotes, because it may be a token or the address of a one-time
 * link.
 */
export function createLog(console: Pick<Console, 'warn' | 'error'>): Log {
  return {
    warn: (event, facts = {}) => {
      console.warn(`vestibule: ${event}`, facts);
    },
    error: (event, error) => {
      console.error(`vestibule: ${event}`, describe(error));
    },
  };
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return `a thrown ${typeof error}`;
  const message = quotesNothing.includes(error.name) ? `: ${error.message.slice(0, longestMessage)}` : '';
  return [error.name + message, ...framesOf(error)].join('\n');
}

/** The lines of the stack that name code. Engines that begin it with the message lose that line. */
function framesOf({ stack = '' }: Error): readonly string[] {
  return stack.split('\n').filter((line) => /^\s+at |^[\w$.<>/]*@/.test(line));
}
