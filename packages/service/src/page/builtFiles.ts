import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Themes } from '../platform/themes/themeFiles.ts';
import type { ServedFiles } from './keptFiles.ts';

/** A name with a hash of the content, which never changes. */
const hashedName = /\.[0-9a-f]{8,}\.[a-z0-9.]+$/;
/** Folders, and files that are never sent by their own name: the page, dot files, source maps, and compressed copies. */
const hiddenFile = /\/$|^\/+(?:index\.html|inline-hashes\.json|languages\.json)$|\/\.|\.(?:map|br|gz)$/i;

/** Whether the host sends a file of the build by its name. @param file its path, from `/`. */
export const isSent = (file: string): boolean => !hiddenFile.test(file);

/** The name of a file with a hash, from its path; `null` for any other path. */
export function hashedFileIn(pathname: string): string | null {
  const [, name = ''] = /^\/assets\/([\w.-]+)$/.exec(pathname) ?? [];
  return hashedName.test(name) && isSent(`/${name}`) ? name : null;
}

/** For a file whose name has a hash. */
const immutable = 'public, max-age=31536000, immutable';

/** The headers of a file, besides those of its path and its type. @param name without the ending of a coding. */
export const fileHeaders = (name: string): Readonly<Record<string, string>> => ({
  'Cache-Control': hashedName.test(name) ? immutable : 'no-cache',
  Vary: 'Accept-Encoding',
  // Mails show the files of themes too.
  ...(/(?:^|\/)(?:logo|font)\.[0-9a-f]{10}\.\w+$/.test(name)
    ? { 'Cross-Origin-Resource-Policy': 'cross-origin' }
    : {}),
});

/** Reads the hashed files of a build. */
export async function filesOfBuild(build: string): Promise<ServedFiles> {
  const folder = path.join(build, 'assets');
  const all = await readdir(folder);
  const read = (name: string): Promise<Buffer> => readFile(path.join(folder, name));
  const files = all
    .filter((name) => hashedName.test(name) && isSent(`/${name}`))
    .map(async (name) => {
      const br = all.includes(`${name}.br`) ? { br: await read(`${name}.br`) } : {};
      return [name, { content: await read(name), ...br }] as const;
    });
  return { part: 'build', files: new Map(await Promise.all(files)) };
}

/** The files of the themes, whose names have a hash too. */
export const filesOfThemes = ({ files }: Themes): ServedFiles => ({
  part: 'themes',
  files: new Map(
    Object.entries(files).map(([url, { content }]) => [path.posix.basename(url), { content }] as const),
  ),
});
