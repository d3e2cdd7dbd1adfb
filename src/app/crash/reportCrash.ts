import { isChunkLoadError } from '@shared/api/apiError';
import { createChunk } from '@shared/chunk';
import type { Deps } from '@shared/deps';
import type * as crashReport from './crashReport';

type ReportPorts = Pick<Deps, 'config' | 'navigation' | 'sendReport'>;

/** The chunk is requested once, even if that fails: a page that crashes in a loop must not request it each time. */
let code: Promise<typeof crashReport> | undefined;
const crashReportChunk = createChunk(() => import(/* webpackChunkName: "crash" */ './crashReport'));

/**
 * Reports an error of the page to the collector of the deployment, if there is one (docs/behaviour.md#reports). Never throws.
 * A missing chunk is not reported, because the access log of the host shows it.
 *
 * @param where - a name of the application: the route or feature whose saga crashed, `drawing`, or `unhandled`
 */
export function reportCrash(ports: ReportPorts, where: string, error: unknown): void {
  // A rejection would be reported as unhandled, in a loop.
  report(ports, where, error).catch(() => undefined);
}

async function report(
  { config, navigation, sendReport }: ReportPorts,
  where: string,
  error: unknown,
): Promise<void> {
  const { reportsTo, environment } = config;
  if (reportsTo === undefined || isChunkLoadError(error)) return;
  code ??= crashReportChunk.load();
  const { makeReport } = await code;
  const made = makeReport(where, error, { environment, navigation });
  if (made) await sendReport(reportsTo, made);
}
