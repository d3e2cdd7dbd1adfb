// @ts-check
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { npmCommand } from './setup/packages.mjs';

const cwd = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/** @param {readonly string[]} args */
function npm(...args) {
  const [program, ...rest] = npmCommand([...args, '--workspace=@vestibule/service']);
  return execFileSync(program, rest, { cwd, encoding: 'utf8', maxBuffer: 2 ** 26 });
}

/** @returns the bill of materials of the service, in CycloneDX: what `npm ci --omit=dev` installs of it. */
export function billOfMaterials() {
  // `npm sbom --omit=dev` leaves out what another workspace lists for its development: the database driver, for example.
  const installed = new Set(
    npm('ls', '--all', '--omit=dev', '--parseable', '--long')
      .split('\n')
      .map((line) => line.slice(cwd.length).split(':')[1]),
  );
  const bill = JSON.parse(npm('sbom', '--include=dev', '--sbom-format=cyclonedx'));
  const isInstalled = (/** @type {{ 'bom-ref': string }} */ one) => installed.has(one['bom-ref']);
  const dependencies = bill.dependencies.filter((/** @type {{ ref: string }} */ { ref }) =>
    installed.has(ref),
  );
  for (const one of dependencies)
    one.dependsOn = one.dependsOn.filter((/** @type {string} */ ref) => installed.has(ref));
  return { ...bill, components: bill.components.filter(isInstalled), dependencies };
}
