// @ts-check
// `npm run bench`: what each screen weighs, and how soon /login can be used. Bytes have a budget that fails; times never fail.
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { judge } from './bench/budget.mjs';
import { launchChromium } from './bench/chromium.mjs';
import {
  printBudget,
  printBytes,
  printCosts,
  printFaults,
  printInteraction,
  printRoutes,
  printTimes,
  printRequestChains,
} from './bench/report.mjs';
import { explainBundle } from './bench/explain.mjs';
import { measureInteraction } from './bench/interaction.mjs';
import { measureLoad } from './bench/load.mjs';
import { measureRoutes } from './bench/routes.mjs';
import { readOptions, usage } from './bench/options.mjs';
import { launchPlainChromium } from './bench/plainChromium.mjs';
import { serveBuild } from './bench/server.mjs';
import { buildStack } from './bench/stack/build.mjs';
import { snapshotForm } from './bench/staticForm.mjs';
import { measureTimes } from './bench/times.mjs';
import { measureRequestChains } from './bench/requestChain.mjs';
import { build, isBuildStale } from './setup/build.mjs';

const projectFolder = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

try {
  const options = readOptions(process.argv.slice(2));
  if (options.help) console.log(usage);
  else if (!(await bench(options))) process.exitCode = 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

/**
 * @param {import('./bench/options.mjs').Options} options
 * @returns {Promise<boolean>} whether the budget is kept.
 */
async function bench(options) {
  const distFolder = options.dist ?? path.join(projectFolder, 'dist');
  if (options.dist === null && isBuildStale(projectFolder)) build(projectFolder, 'page');
  const browser = await launchChromium();
  const server = await serveBuild(distFolder);
  try {
    const load = await measureLoad(browser, server.loginUrl, distFolder);
    const verdicts = judge(load);
    printBytes(load);
    printBudget(verdicts);
    const routes = await measureRoutes(browser, server, distFolder);
    printRoutes(routes);
    const isLoginKept = verdicts.every(({ kept }) => kept);
    printFaults(distFolder, load.idle, [
      ...(isLoginKept ? [] : [{ name: '/login', weight: load.idle }]),
      ...routes.filter(({ kept }) => !kept),
    ]);
    if (options.explain) printCosts(explainBundle(distFolder, load.idle));
    if (!options.bytes) {
      printRequestChains(await measureRequestChains(browser, server));
      const stack = await buildStack();
      server.serve('/bench/stack.js', 'text/javascript', stack.script);
      const form = await snapshotForm(browser, server.loginUrl, distFolder);
      const pages = {
        app: server.loginUrl,
        z: server.serve('/bench/static-form', 'text/html', form),
        y: server.serve('/bench/stack', 'text/html', stack.html),
      };
      const plain = await launchPlainChromium();
      try {
        printInteraction(await measureInteraction(plain, server.loginUrl));
        printTimes(await measureTimes(plain, pages, options.runs), options.runs);
      } finally {
        plain.close();
      }
    }
    return [...verdicts, ...routes].every(({ kept }) => kept);
  } finally {
    await browser.close();
    await server.close();
  }
}
