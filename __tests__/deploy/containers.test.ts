import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { validate } from 'dockerfile-utils';
import { parse } from 'yaml';

const folder = path.resolve(__dirname, '../../deploy');
const read = (name: string): string => readFileSync(path.join(folder, name), 'utf8');

/** No container can be built where the tests run. */
describe('the containers', () => {
  test.each(['service.Dockerfile', 'page.Dockerfile'])('%s has no fault that its linter knows', (name) => {
    expect(validate(read(name))).toEqual([]);
  });

  test('the linter reports a fault', () => {
    expect(validate('FROM debian\nCOPYY . .\n')).not.toEqual([]);
  });

  test('compose.yaml names Dockerfiles that are there, and secrets that it declares', () => {
    const { services, secrets } = parse(read('compose.yaml'), { merge: true }) as {
      services: Record<string, { build?: { dockerfile: string }; secrets?: string[] }>;
      secrets: Record<string, unknown>;
    };
    const all = Object.values(services);
    const dockerfiles = all.flatMap(({ build }) =>
      build === undefined ? [] : [path.basename(build.dockerfile)],
    );
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(dockerfiles));
    expect(Object.keys(secrets)).toEqual(
      expect.arrayContaining(all.flatMap(({ secrets: used = [] }) => used)),
    );
  });
});
