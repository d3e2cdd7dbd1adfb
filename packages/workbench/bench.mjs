// @ts-check
// `npm run bench -w packages/workbench`: what each screen weighs, and how soon /login can be used. Bytes have a budget that fails; times never fail.
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { launchChromium } from '../../scripts/bytes/chromium.mjs';
import { measureBytes } from '../../scripts/bytes/measureBytes.mjs';
import { serveBuild } from '../../scripts/bytes/server.mjs';
import { build, isBuildStale } from '../../scripts/setup/build.mjs';
import { explainBundle } from './bench/explain.mjs';
import { measureInteraction } from './bench/interaction.mjs';
import { readOptions, usage } from './bench/options.mjs';
import { launchPlainChromium } from './bench/plainChromium.mjs';
import { printCosts, printInteraction, printRequestChains, printTimes } from './bench/report.mjs';
import { measureRequestChains } from './bench/requestChain.mjs';
import { buildStack } from './bench/stack/build.mjs';
import { snapshotForm } from './bench/staticForm.mjs';
import { measureTimes } from './bench/times.mjs';

const projectFolder = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

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
  const distFolder =
    options.dist === null
      ? path.join(projectFolder, 'dist')
      : path.resolve(process.env['INIT_CWD'] ?? '', options.dist);
  if (options.dist === null && isBuildStale(projectFolder)) build(projectFolder, 'page');
  const browser = await launchChromium();
  const server = await serveBuild(distFolder);
  try {
    const { load, kept } = await measureBytes(browser, server, distFolder);
    if (options.explain) printCosts(explainBundle(distFolder, load.idle));
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
    return kept;
  } finally {
    await browser.close();
    await server.close();
  }
}
