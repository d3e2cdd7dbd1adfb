/**
 * Writes `schema.gen.ts` from `openapi.yaml`. With `--check` it writes nothing and fails when the two have drifted
 * apart, which is what the continuous integration runs.
 */
import { readFile, writeFile } from 'node:fs/promises';
import openapiTS, { astToString } from 'openapi-typescript';

const source = new URL('./openapi.yaml', import.meta.url);
const target = new URL('./src/schema.gen.ts', import.meta.url);
const banner = '// Generated from openapi.yaml by packages/contract/generate.mjs. Do not edit.\n\n';

const nodes = await openapiTS(source, {
  immutable: true,
  rootTypes: true,
  rootTypesNoSchemaPrefix: true,
  silent: true,
});
const generated = banner + astToString(nodes);

if (process.argv.includes('--check')) {
  const current = await readFile(target, 'utf8').catch(() => '');
  if (current !== generated) {
    console.error(
      'packages/contract/src/schema.gen.ts does not match packages/contract/openapi.yaml. Run: npm run contract:types',
    );
    process.exit(1);
  }
  console.log('packages/contract/src/schema.gen.ts matches packages/contract/openapi.yaml.');
} else {
  await writeFile(target, generated);
}
