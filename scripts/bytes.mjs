// @ts-check
// `npm run bytes`: what each screen weighs, against its budget. `--dist=<folder>` names another production build.
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { launchChromium } from './bytes/chromium.mjs';
import { measureBytes } from './bytes/measureBytes.mjs';
import { serveBuild } from './bytes/server.mjs';
import { build, isBuildStale } from './setup/build.mjs';

const projectFolder = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

async function main() {
  const { values } = parseArgs({ options: { dist: { type: 'string' } } });
  if (values.dist === undefined && isBuildStale(projectFolder)) build(projectFolder, 'page');
  const distFolder = values.dist ?? path.join(projectFolder, 'dist');
  const browser = await launchChromium();
  const server = await serveBuild(distFolder);
  try {
    const { kept } = await measureBytes(browser, server, distFolder);
    if (!kept) process.exitCode = 1;
  } finally {
    await browser.close();
    await server.close();
  }
}

main().catch((error) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
