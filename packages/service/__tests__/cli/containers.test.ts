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

  test('images are of one content each, with the supported Node.js, and no script of a package runs in them', () => {
    const all = ['service.Dockerfile', 'page.Dockerfile', 'compose.yaml'].map(read).join('\n');
    const images = Array.from(all.matchAll(/^(?:FROM|\s+image:) (\S+)/gm), ([, image]) => image);
    expect(images).toHaveLength(4);
    for (const image of images)
      expect(image).toMatch(/^(?:node:24|debian|postgres:15)[\w:-]*@sha256:[0-9a-f]{64}$/);
    const installs = all.match(/npm ci.*/g) ?? [];
    expect(installs).toHaveLength(2);
    for (const install of installs) expect(install).toContain('--ignore-scripts');
  });

  test('what is kept secret gets neither into the repository nor into an image', () => {
    const lines = (name: string) => readFileSync(path.resolve(folder, '../../..', name), 'utf8').split('\n');
    expect(lines('.gitignore')).toEqual(expect.arrayContaining(['out/', 'secrets/']));
    expect(lines('.dockerignore')).toContain('secrets');
  });

  test('no container may write to its files or gain rights, nginx cannot reach the database, and IPv6 clients keep their address', () => {
    const { services, networks } = parse(read('compose.yaml'), { merge: true }) as {
      services: Record<string, Record<string, unknown> & { networks: string[] }>;
      networks: Record<string, unknown>;
    };
    for (const service of Object.values(services))
      expect(service).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      });
    expect(services['page']?.networks).toEqual(['front', 'inside']);
    expect(services['database']?.networks).toEqual(['data']);
    expect(networks).toMatchObject({ front: { enable_ipv6: true }, data: { internal: true } });
  });

  test('nginx finds the processes at the addresses that the guide names', () => {
    const { services } = parse(read('compose.yaml'), { merge: true }) as {
      services: Record<string, { networks: { inside?: { ipv4_address?: string } } }>;
    };
    const nodes = ['service-1', 'service-2'].map(
      (name) => `'${services[name]?.networks.inside?.ipv4_address ?? ''}:4001'`,
    );
    const guide = readFileSync(path.resolve(folder, '../../../docs/operations.md'), 'utf8');
    expect(guide).toContain(`nodes: [${nodes.join(', ')}]`);
  });

  test('the schema is migrated next to the running processes, whose addresses are taken, by the command of the guide', () => {
    const { services } = parse(read('compose.yaml'), { merge: true }) as {
      services: Record<string, { networks: unknown; profiles?: string[]; command?: string[] }>;
    };
    expect(services['migrate']).toMatchObject({ networks: ['data'], profiles: ['migrate'] });
    expect(services['migrate']?.command?.at(-1)).toBe('migrate');
    const guide = readFileSync(path.resolve(folder, '../../../docs/operations.md'), 'utf8');
    expect(guide).toContain('docker compose run --build --rm migrate');
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
