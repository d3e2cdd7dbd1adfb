import { readFileSync } from 'node:fs';
import { billOfMaterials } from '../../scripts/sbom.mjs';

interface Bill {
  readonly components: readonly { readonly 'bom-ref': string }[];
}

it('the bill of materials has what the service runs with, and nothing of its development', () => {
  const { components } = billOfMaterials() as Bill;
  const manifest = JSON.parse(readFileSync('packages/service/package.json', 'utf8')) as Readonly<
    Record<'dependencies' | 'devDependencies', Readonly<Record<string, string>>>
  >;
  const listed = components.map((one) => one['bom-ref']);
  const refsOf = (kind: keyof typeof manifest) =>
    Object.entries(manifest[kind]).map(([name, version]) => `${name}@${version}`);
  expect(listed).toEqual(expect.arrayContaining(refsOf('dependencies')));
  expect(refsOf('devDependencies').filter((ref) => listed.includes(ref))).toEqual([]);
});
