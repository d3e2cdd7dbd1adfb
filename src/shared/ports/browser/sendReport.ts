import type { PageReport } from '../ports';

/** The limit of reports for one load of the page, because a page that fails in a loop must not flood the collector. */
const most = 3;

const sentBy = new WeakMap<object, Set<string>>();

/**
 * Sends a report in the form of the browsers' own reports, so that a collector of those accepts it. The same report is sent
 * once for each load of the page.
 */
export async function sendReport(
  browser: Pick<Window & typeof globalThis, 'fetch' | 'location' | 'navigator'>,
  url: string,
  report: PageReport,
): Promise<void> {
  const sent = sentBy.get(browser) ?? new Set();
  const text = JSON.stringify(report);
  if (sent.has(text) || sent.size >= most) return;
  sentBy.set(browser, sent.add(text));
  const { location, navigator } = browser;
  const envelope = {
    type: 'page-error',
    age: 0,
    url: location.origin + report.route,
    user_agent: navigator.userAgent,
    body: report,
  };
  await browser.fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/reports+json' },
    body: JSON.stringify([envelope]),
    credentials: 'omit',
    // The report is also sent if the user leaves the page at once.
    keepalive: true,
  });
}
