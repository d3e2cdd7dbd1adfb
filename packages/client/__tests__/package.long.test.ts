/** @jest-environment node */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { minify } from '@swc/core';
import { build } from 'esbuild';

const folder = path.resolve(__dirname, '..');
const project = path.resolve(folder, '../..');
const tsc = path.join(project, 'node_modules/typescript7/bin/tsc');
const run = (program: string, ...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    cwd: folder,
    encoding: 'utf8',
  });
  return { status, output: stdout + stderr };
};
const passed = { status: 0, output: expect.any(String) as string };

/** What these names cost an application, minified as the page is: without the live events, which load if they are asked for. */
async function bytesOf(code: string): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: folder },
    ...{ bundle: true, format: 'esm', target: 'es2022', write: false, splitting: true, outdir: folder },
  });
  const files = outputFiles.filter(({ path: file }) => !path.basename(file).startsWith('events-'));
  const sizes = files.map(async ({ text }) => {
    const { code: small } = await minify(text, { module: true, compress: { passes: 5 }, mangle: true });
    return brotliCompressSync(small).length;
  });
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size);
}

it('costs a browser at most 5.1 kB, with js-cookie and jwt-decode, and no more than what is used', async () => {
  expect(await bytesOf("export * from '@vestibule/client'")).toBeLessThanOrEqual(5100);
  expect(await bytesOf("export { embedSignOn } from '@vestibule/client'")).toBeLessThanOrEqual(600);
});

it('has examples that compile', () => {
  const examples = path.join(folder, 'dist/examples');
  rmSync(examples, { recursive: true, force: true });
  mkdirSync(examples, { recursive: true });
  const blocks = [...readFileSync(path.join(folder, 'README.md'), 'utf8').matchAll(/```(tsx?)\n(.*?)```/gs)];
  expect(blocks).toHaveLength(4);
  for (const [index, [, kind = '', code = '']] of blocks.entries())
    writeFileSync(path.join(examples, `example${String(index)}.${kind}`), `${code}export {};\n`);
  const compilerOptions = {
    noEmit: true,
    noUnusedLocals: false,
    rootDir: '../../../..',
    paths: { '@vestibule/client': ['../../src/index.ts'], '@vestibule/client/*': ['../../src/*.ts'] },
  };
  const config = { extends: '../../../../tsconfig.json', compilerOptions, include: ['.'], exclude: [] };
  writeFileSync(path.join(examples, 'tsconfig.json'), JSON.stringify(config));
  expect(run(tsc, '--project', examples)).toEqual(passed);
});
