import type { Log } from '../ports';

/**
 * Errors whose message is written by a programmer or an engine without quoting what it worked on. The others quote:
 * `SyntaxError` of JSON.parse and `ValiError` their input, `DOMException` of `history` the address with its hash.
 */
const quotesNothing: readonly string[] = ['Error', 'TypeError', 'RangeError', 'ReferenceError', 'ApiError'];
const longestMessage = 300;

/** Diagnostics on the console. What an error quotes stays out: it may be a token or the address of a one-time link. */
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
