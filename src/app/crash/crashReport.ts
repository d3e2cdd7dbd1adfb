import { findRoute } from '@app/routes';
import { mask } from '@shared/routing/location.slice';
import type { Navigation, PageReport } from '@shared/ports/ports';
import manifest from '../../../package.json';

/** The highest number of stack frames in a report. */
const longest = 20;

interface PageFacts {
  readonly environment: string;
  readonly navigation: Pick<Navigation, 'current' | 'host'>;
}

/**
 * Makes the report of a crash. It contains names and file positions of the application and no other text, because the message
 * of an error may repeat a secret or what a user typed. Returns `null` for an unhandled error without a position in our
 * files: browser extensions cause such errors.
 */
export function makeReport(
  where: string,
  error: unknown,
  { environment, navigation }: PageFacts,
): PageReport | null {
  const match = findRoute(navigation.current().pathname);
  const stack = framesOf(error, navigation.host());
  if (where === 'unhandled' && stack.length === 0) return null;
  return {
    where,
    name: nameOf(error),
    stack,
    route: match ? match.route.pattern : `/${mask}`,
    release: manifest.version,
    environment,
  };
}

function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return `a thrown ${typeof error}`;
  return /^[A-Z][A-Za-z]{2,39}$/.test(error.name) ? error.name : 'Error';
}

/** Finds the lines of the stack that name one of our files, in the form `main.1a2b3c4d.js:1:2345`. */
function framesOf(error: unknown, host: string): readonly string[] {
  if (!(error instanceof Error)) return [];
  const lines = withoutMessage(error).split('\n');
  const start = `//${host}/assets/`;
  return lines
    .flatMap((line) => {
      const at = line.indexOf(start);
      return at < 0
        ? []
        : (/^[\w-]{1,40}(?:\.[0-9a-f]{8})?\.js:\d+:\d+(?=\)?$)/.exec(line.slice(at + start.length)) ?? []);
    })
    .slice(0, longest);
}

/**
 * Chromium begins the stack with the name and the message of the error, and a message may look like a frame. In other engines
 * the stack does not begin with them, and a frame may contain the same words.
 */
function withoutMessage({ stack = '', message }: Error): string {
  const start = /^[^\n]*?: /.exec(stack)?.[0].length ?? 0;
  return stack.startsWith(message, start) ? stack.slice(start + message.length) : stack;
}
