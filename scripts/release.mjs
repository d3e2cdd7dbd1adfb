// @ts-check
// `npm run release`: builds `out/vestibule-VERSION-COMMIT.tar.gz` with the page, the compiled service and its libraries for this
// kind of machine. docs/operations.md#install. With the path of a new folder as its argument, it writes these files there, for an image.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { billOfMaterials } from './sbom.mjs';
import { npmCommand } from './setup/packages.mjs';
import { checkTexts } from './texts/checkTexts.mjs';

const project = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/** What a machine needs of the sources and of the build. */
const parts = [
  'dist',
  'package.json',
  'package-lock.json',
  '.npmrc',
  ...['package.json', 'openapi.yaml', 'dist'].map((name) => `packages/contract/${name}`),
  ...['package.json', 'deploy', 'dist', 'locales'].map((name) => `packages/service/${name}`),
];

/**
 * Writes the files of a release.
 *
 * @param {string} folder a new one
 * @param {string} commit
 */
function writeRelease(folder, commit) {
  for (const part of parts) {
    mkdirSync(path.dirname(path.join(folder, part)), { recursive: true });
    cpSync(path.join(project, part), path.join(folder, part), { recursive: true });
  }
  cpSync(path.join(project, 'packages/service/deploy/vestibule'), path.join(folder, 'vestibule'));
  writeFileSync(path.join(folder, 'release.json'), `${JSON.stringify({ version, commit })}\n`);
  writeFileSync(path.join(folder, 'sbom.json'), `${JSON.stringify(billOfMaterials(), null, 2)}\n`);
  const [npm, ...args] = npmCommand([
    'ci',
    '--omit=dev',
    '--ignore-scripts',
    '--workspace=@vestibule/service',
  ]);
  execFileSync(npm, args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  execFileSync(
    '/bin/sh',
    ['-c', 'find . -type f ! -name SHA256SUMS -print0 | sort -z | xargs -0 sha256sum > SHA256SUMS'],
    { cwd: folder },
  );
}

/** @returns {string} the path of the archive, below `out/` */
function writeArchive() {
  const git = (/** @type {readonly string[]} */ ...args) =>
    execFileSync('git', args, { cwd: project, encoding: 'utf8' }).trim();
  const commit = git('rev-parse', '--short=10', 'HEAD');
  const date = git('show', '--no-patch', '--format=%cI');
  const name = `vestibule-${version}-${commit}`;
  const staging = mkdtempSync(path.join(tmpdir(), 'vestibule-release-'));
  try {
    writeRelease(path.join(staging, name), commit);
    const archive = path.join(project, 'out', `${name}.tar.gz`);
    mkdirSync(path.dirname(archive), { recursive: true });
    // Of one commit, archives are alike.
    execFileSync('tar', [
      '--sort=name',
      `--mtime=${date}`,
      '--owner=0',
      '--group=0',
      '--numeric-owner',
      '--use-compress-program=gzip -n',
      '-cf',
      archive,
      '-C',
      staging,
      name,
    ]);
    return path.relative(project, archive);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

const { version, languages } = JSON.parse(readFileSync(path.join(project, 'package.json'), 'utf8'));
const { missing, faults } = await checkTexts(project);
if (faults.length > 0) throw new Error(faults.join('\n'));
const incomplete = [...missing.keys()].filter((language) => !languages.incomplete.includes(language));
if (incomplete.length > 0)
  throw new Error(
    `Texts are missing in ${incomplete.join(', ')}: \`npm run texts:check\` lists them. Translate them, or name the languages in \`languages.incomplete\` of package.json.`,
  );
const folder = process.argv[2];
// An image is built without the history of the sources.
if (folder !== undefined) writeRelease(folder, process.env['COMMIT'] ?? 'unknown');
else console.log(writeArchive());
