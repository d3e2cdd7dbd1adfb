import { randomUUID } from 'node:crypto';
import { copyFile, mkdir, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { noThemes, type Themes } from '../platform/themes/themeFiles.ts';

/** How long hashed files of former builds are kept, ms: open pages can still load them. */
const keptForMs = 7 * 24 * 60 * 60 * 1000;

/**
 * Copies the hashed files of a build and of its themes into a folder that processes of several builds share, marks them as in use, and removes files that
 * have not been in use for seven days.
 *
 * @param now ms since 1970.
 * @throws Error if the folder cannot be written.
 */
export async function keepAssets(
  build: string,
  folder: string,
  now: number,
  themes: Themes = noThemes,
): Promise<void> {
  const source = path.join(build, 'assets');
  // Compressed copies come before their file, which is served without them otherwise.
  const current = (await readdir(source)).sort((one, other) => other.length - one.length);
  await mkdir(folder, { recursive: true });
  const keep = async (name: string, size: number, write: (to: string) => Promise<void>): Promise<void> => {
    const file = path.join(folder, name);
    if ((await factsOf(file))?.size !== size) {
      // Another process may read or write the same file.
      const temporary = path.join(folder, `.${randomUUID()}`);
      await write(temporary);
      await rename(temporary, file);
    }
    await utimes(file, now / 1000, now / 1000);
  };
  for (const name of current) {
    const file = path.join(source, name);
    await keep(name, (await stat(file)).size, (to) => copyFile(file, to));
  }
  const ofThemes = Object.entries(themes.files).map(([url, { content }]) => ({
    name: path.basename(url),
    content,
  }));
  for (const { name, content } of ofThemes) await keep(name, content.length, (to) => writeFile(to, content));
  const inBuild = new Set([...current, ...ofThemes.map(({ name }) => name)]);
  for (const name of await readdir(folder)) {
    if (inBuild.has(name)) continue;
    const facts = await factsOf(path.join(folder, name));
    if (facts !== null && now - facts.mtimeMs > keptForMs) await rm(path.join(folder, name), { force: true });
  }
}

/** @returns `null` if the file is missing, because another process has removed it */
const factsOf = (file: string) => stat(file).catch(() => null);
