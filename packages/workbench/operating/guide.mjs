// @ts-check
// What docs/operations.md says: its commands and its files.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

export const project = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../..');
const documentation = readFileSync(path.join(project, 'docs/operations.md'), 'utf8');
export const hosts = ['login', 'api'].map((name) => `${name}.example.com`);
/**
 * The folder in which certbot writes the certificate of the deployment. In this check the certificate is its own authority.
 */
export const certificates = '/etc/letsencrypt/live/vestibule';
export const authority = `${certificates}/fullchain.pem`;

/**
 * The shell blocks of a section, as one script.
 *
 * @param {string} title
 */
export function commandsOf(title) {
  const begin = documentation.indexOf(`\n## ${title}\n`);
  if (begin < 0) throw new Error(`docs/operations.md has no section '${title}'.`);
  const end = documentation.indexOf('\n## ', begin + 1);
  const section = documentation.slice(begin, end < 0 ? undefined : end);
  return [...section.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, commands = '']) => commands);
}

/** The file of the deployment, as 'One file' has it. */
export const deploymentFile = () => block('page');

/** The file of the deployment with what 'More machines' adds to it. */
export function grownFile() {
  const [file, more] = [parse(deploymentFile()), parse(block('web'))];
  const service = {
    ...file.service,
    ...more.service,
    environment: { ...file.service.environment, ...more.service.environment },
  };
  return { ...file, web: { ...file.web, ...more.web }, service };
}

/** @param {string} key with which a YAML block of the guide begins */
function block(key) {
  const [, file] = new RegExp(`^\`\`\`yaml\\n(${key}:[^]*?)^\`\`\`$`, 'm').exec(documentation) ?? [];
  if (file === undefined) throw new Error(`docs/operations.md has no file that begins with '${key}:'.`);
  return file;
}

/** @param {string} what @param {() => unknown} work */
export async function step(what, work) {
  const begun = performance.now();
  await work();
  console.log(`${what}: ${((performance.now() - begun) / 1000).toFixed(0)} s`);
}
