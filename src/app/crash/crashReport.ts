import { findRoute } from '@app/routes';
import { mask } from '@shared/routing/location.slice';
import type { Navigation, PageReport } from '@shared/ports/ports';
import manifest from '../../../package.json';

/** The longest stack, frames. */
const longest = 20;

interface PageFacts {
  readonly environment: string;
  readonly navigation: Pick<Navigation, 'current' | 'host'>;
}

/**
 * A crash as identifiers and file positions of the application. Texts are left out, above all the message of the error: it may
 * repeat what a server sent, what a user typed, or a secret. `null`: an unhandled error without a position in these files, as
 * browser extensions cause.
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

/** `main.1a2b3c4d.js:1:2345` of each line that names one of our files. */
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

/** Chromium begins the stack with name and message, which may look like frames. Elsewhere its words may stand in a frame. */
function withoutMessage({ stack = '', message }: Error): string {
  const start = /^[^\n]*?: /.exec(stack)?.[0].length ?? 0;
  return stack.startsWith(message, start) ? stack.slice(start + message.length) : stack;
}
