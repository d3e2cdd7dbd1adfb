import { isChunkLoadError } from '@shared/api/apiError';
import { createChunk } from '@shared/chunk';
import type { Deps } from '@shared/deps';
import type * as crashReport from './crashReport';

/** What a report is made of, and the way out. */
export type ReportPorts = Pick<Deps, 'config' | 'navigation' | 'sendReport'>;

/** Asked for once: where it cannot be had, a page that fails in a loop must not ask its host for it each time. */
let code: Promise<typeof crashReport> | undefined;
const crashReportChunk = createChunk(() => import(/* webpackChunkName: "crash" */ './crashReport'));

/**
 * Tells the collector of the deployment, where there is one, of a fault of the page's own (docs/behaviour.md#reports). Never
 * throws; the code comes with the first fault. A part of the build that is missing is none: the access log of the host has it.
 *
 * @param where - a name of ours: the route or feature whose saga crashed, `drawing`, or `unhandled`
 */
export function reportCrash(ports: ReportPorts, where: string, error: unknown): void {
  // Else it would be reported as unhandled, again and again.
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
