// @ts-check
import { judge } from './budget.mjs';
import { measureLoad } from './load.mjs';
import { printBudget, printBytes, printFaults, printRoutes } from './report.mjs';
import { measureRoutes } from './routes.mjs';

/**
 * Measures and prints what each screen weighs.
 *
 * @param {import('@playwright/test').Browser} browser
 * @param {Awaited<ReturnType<typeof import('./server.mjs').serveBuild>>} server
 * @param {string} distFolder
 */
export async function measureBytes(browser, server, distFolder) {
  const load = await measureLoad(browser, server.loginUrl, distFolder);
  const verdicts = judge(load, server.languages);
  printBytes(load);
  printBudget(verdicts);
  const routes = await measureRoutes(browser, server, distFolder);
  printRoutes(routes);
  const isLoginKept = verdicts.every(({ kept }) => kept);
  printFaults(distFolder, load.idle, [
    ...(isLoginKept ? [] : [{ name: '/login', weight: load.idle }]),
    ...routes.filter(({ kept }) => !kept),
  ]);
  return { load, kept: isLoginKept && routes.every(({ kept }) => kept) };
}
