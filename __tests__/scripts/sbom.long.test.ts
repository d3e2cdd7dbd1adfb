import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

interface Bill {
  readonly components: readonly { readonly 'bom-ref': string }[];
}

it('the bill of materials has what the service runs with, and nothing of its development', () => {
  const { components } = JSON.parse(
    execFileSync(process.execPath, ['scripts/sbom.mjs'], { encoding: 'utf8' }),
  ) as Bill;
  const manifest = JSON.parse(readFileSync('packages/service/package.json', 'utf8')) as Readonly<
    Record<'dependencies' | 'devDependencies', Readonly<Record<string, string>>>
  >;
  const listed = components.map((one) => one['bom-ref']);
  const refsOf = (kind: keyof typeof manifest) =>
    Object.entries(manifest[kind]).map(([name, version]) => `${name}@${version}`);
  expect(listed).toEqual(expect.arrayContaining(refsOf('dependencies')));
  expect(refsOf('devDependencies').filter((ref) => listed.includes(ref))).toEqual([]);
});
