import { isChunkLoadError } from '@shared/api/apiError';
import type { Deps } from '@shared/deps';

/** What a report is made of, and the way out. */
export type ReportPorts = Pick<Deps, 'config' | 'navigation' | 'sendReport'>;

/**
 * Tells the collector of the deployment, where there is one, of a fault of the page's own (docs/behaviour.md#reports). Never
 * throws; the code comes with the first fault. A part of the build that is missing is none: the access log of the host has it.
 *
 * @param where - a name of ours: the route or feature whose saga crashed, `drawing`, or `unhandled`
 */
export function reportCrash(
  { config, navigation, sendReport }: ReportPorts,
  where: string,
  error: unknown,
): void {
  const { reportsTo, environment } = config;
  if (reportsTo === undefined || isChunkLoadError(error)) return;
  import(/* webpackChunkName: "crash" */ './crashReport')
    .then(({ makeReport }) => {
      const report = makeReport(where, error, { environment, navigation });
      return report && sendReport(reportsTo, report);
    })
    // Else it would be reported as unhandled, again and again.
    .catch(() => undefined);
}
