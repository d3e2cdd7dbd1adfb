import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { portsOfSocketUnit } from '../../src/cli/providedPorts.ts';
import { newDatabase } from '../support/postgres.ts';
import { environmentOf, vestibuleProcess } from '../support/vestibule.ts';

it('the ports of the units are those of the socket, with the changes of the operator', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'vestibule-units-'));
  for (const unit of ['vestibule.service', 'vestibule.socket'])
    copyFileSync(path.resolve(__dirname, '../../deploy', unit), path.join(folder, unit));
  expect(portsOfSocketUnit('/etc/vestibule/deployment.yaml', folder)).toEqual([443, 80]);
  expect(portsOfSocketUnit('/srv/other.yaml', folder)).toEqual([]);
  mkdirSync(path.join(folder, 'vestibule.socket.d'));
  const change = '[Socket]\nListenStream=\nListenStream=10.0.0.2:4443\n';
  writeFileSync(path.join(folder, 'vestibule.socket.d/override.conf'), change);
  expect(portsOfSocketUnit('/etc/vestibule/deployment.yaml', folder)).toEqual([4443]);
  rmSync(folder, { recursive: true });
});

it('a command whose start fails ends with the reason', async () => {
  const clients = [{ id: 'reports', name: 'Reports', secretFile: '/nowhere/reports' }];
  const variables = { ...environmentOf(await newDatabase()), CLIENTS: JSON.stringify(clients) };
  expect(await vestibuleProcess(variables, ['accounts', 'list'])).toEqual({
    stdout: '',
    stderr:
      "The secretFile of the client 'reports': ENOENT: no such file or directory, open '/nowhere/reports'\n",
    status: 1,
  });
});
