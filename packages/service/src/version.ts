import { readFileSync } from 'node:fs';

const read = (file: string): unknown => JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8'));

/** The release that runs. */
export const { version } = read('../package.json') as { readonly version: string };

/** The commit that the release was made from, abbreviated; `unknown` outside of an archive of `npm run release`. */
export const commit = commitOfRelease();

function commitOfRelease(): string {
  try {
    return (read('../../../release.json') as { readonly commit: string }).commit;
  } catch {
    return 'unknown';
  }
}
