import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import path from 'node:path';
import { freePorts } from '@vestibule/contract/testing/freePorts';
import { portFinding } from '../../src/cli/doctor/doctor.ts';
import { reachOf } from '../../src/cli/doctor/listeners.ts';
import { machineFindings } from '../../src/cli/doctor/machineChecks.ts';
import type { Deployment } from '../../src/deployment.ts';
import { formatFinding } from '../../src/platform/doctor/findings.ts';
import { newDatabase } from '../support/postgres.ts';

describe('vestibule doctor on a machine of the deployment', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'vestibule-here-'));
  const file = path.join(folder, 'database-url');
  const units = path.join(folder, 'units');
  const servers: Server[] = [];
  let port: number;

  beforeEach(async () => {
    [port = 0] = await freePorts(1);
    writeFileSync(file, 'postgres://localhost/vestibule');
  });
  afterEach(() => {
    rmSync(units, { recursive: true, force: true });
    for (const server of servers.splice(0)) server.close();
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  /** Installs the unit of a machine behind a proxy, with a change that an operator made with `systemctl edit`. */
  const listenAt = (address: string): void => {
    mkdirSync(path.join(units, 'vestibule.socket.d'), { recursive: true });
    writeFileSync(path.join(units, 'vestibule.socket'), '[Socket]\nListenStream=127.0.0.1:4001\n');
    const change = `[Socket]\nListenStream=\nListenStream=${address}:${port}\n`;
    writeFileSync(path.join(units, 'vestibule.socket.d/override.conf'), change);
  };
  const listen = async (host: string): Promise<void> => {
    const server = createServer((socket) => socket.destroy()).listen(port, host);
    servers.push(server);
    await once(server, 'listening');
  };
  const deploymentWith = (environment: Readonly<Record<string, string>>): Deployment =>
    ({ environment: { DATABASE_URL_FILE: file, ...environment } }) as unknown as Deployment;

  describe('the database', () => {
    const said = async (url: string, user?: string): Promise<string> => {
      writeFileSync(file, url);
      const named = user === undefined ? file : path.join(folder, 'gone');
      const findings = await machineFindings({ environment: { DATABASE_URL_FILE: named } });
      return findings.map(formatFinding).join('\n').split('\n')[0] ?? '';
    };

    it('is right if it responds', async () => {
      expect(await said(await newDatabase())).toBe('ok       database: DATABASE_URL');
    });

    it('is wrong if it does not run', async () => {
      expect(await said(`postgres://vestibule@localhost/vestibule?host=${folder}`)).toBe(
        'WRONG    database: The database does not respond, or refuses the service (ENOENT).',
      );
    });

    it('is wrong if it does not exist', async () => {
      const url = new URL(await newDatabase());
      url.pathname = '/nobody_has_made_it';
      expect(await said(url.href)).toBe(
        'WRONG    database: The database does not respond, or refuses the service (3D000).',
      );
    });

    it('is not checked on another machine', async () => {
      expect(await said('', 'elsewhere')).toMatch(
        /^skipped {2}database: .* cannot be read here \(ENOENT\)\.$/,
      );
    });
  });

  describe('a name by which the machine does not reach itself', () => {
    const reach = (environment: Readonly<Record<string, string>> = {}) =>
      reachOf({ now: Date.now, units }, deploymentWith(environment), `https://127.0.0.9:${port}`);

    it('is checked at the address of the unit, as it was changed by systemctl edit', async () => {
      listenAt('127.0.0.5');
      await listen('127.0.0.5');
      expect((await reach()).connectTo).toBe('127.0.0.5');
    });

    it('is checked at the address of the settings without systemd, and at this machine if that is all', async () => {
      await listen('127.0.0.1');
      expect((await reach({ HOST: '127.0.0.1' })).connectTo).toBe('127.0.0.1');
      expect((await reach({ HOST: '::', TLS_CERTIFICATE_FILE: 'x' })).connectTo).toBe('127.0.0.1');
    });

    it('is checked as it is where nothing listens, where the machine does reach itself, and on other machines', async () => {
      expect((await reach()).connectTo).toBeUndefined();
      await listen('0.0.0.0');
      expect((await reach()).connectTo).toBeUndefined();
      servers.splice(0).forEach((server) => server.close());
      expect((await reach({ DATABASE_URL_FILE: path.join(folder, 'gone') })).connectTo).toBeUndefined();
    });
  });

  describe('a port of its own', () => {
    const said = async (connectTo: string, environment: Readonly<Record<string, string>>) =>
      formatFinding(
        await portFinding(
          { now: Date.now, connectTo, units },
          deploymentWith(environment),
          'api.example.com',
        ),
      ).split('\n')[0];
    const metrics = () => ({ METRICS_PORT: String(port), TLS_CERTIFICATE_FILE: 'x' });

    it('is closed if only this machine reaches it, also behind a proxy', async () => {
      await listen('127.0.0.1');
      expect(await said('127.0.0.1', metrics())).toBe('ok       ports: api.example.com');
      expect(await said('127.0.0.1', { PORT: String(port) })).toBe('ok       ports: api.example.com');
      listenAt('127.0.0.1');
      expect(await said('127.0.0.1', {})).toBe('ok       ports: api.example.com');
    });

    it('is open if another address of the machine has it, by the port of the unit', async () => {
      listenAt('127.0.0.1');
      await listen('127.0.0.9');
      expect(await said('127.0.0.9', {})).toBe(
        `WRONG    ports: Port ${port} of api.example.com is open to the outside.`,
      );
    });

    it('is warned of where a firewall may close it to others', async () => {
      const line = `warning  ports: Port ${port} is open on this machine. Whether a firewall closes it to others is not seen from here.`;
      await listen('0.0.0.0');
      expect(await said('127.0.0.1', { ...metrics(), METRICS_HOST: '0.0.0.0' })).toBe(line);
      const others = Object.values(networkInterfaces()).flatMap((own = []) => own);
      for (const { address } of others.filter(({ internal, family }) => !internal && family === 'IPv4'))
        expect(await said(address, metrics())).toBe(line);
    });
  });
});
