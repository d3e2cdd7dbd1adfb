/** @jest-environment node */
import { rm } from 'node:fs/promises';
import http from 'node:http';
import path from 'node:path';
import { listen, type Listening } from '@vestibule/local';
import { portFrom } from '@vestibule/local';
import { ask } from '@vestibule/local/testing/ask';
import { freePorts } from '@vestibule/contract/testing/freePorts';
import { projectFolder, startScript } from './runScript';

// Databases are created here; on a busy machine that takes a while. The limit only ends what hangs.
jest.setTimeout(180_000);

const npmStart = 'scripts/start.mjs';

describe('npm start', () => {
  let another: Listening | null = null;
  afterEach(async () => {
    await another?.close();
    another = null;
  });

  test('starts an environment that answers, prints its address and the secrets of its clients, and exits with 0 on Ctrl+C, even pressed twice', async () => {
    const [port = 0] = await freePorts(1);
    const { child, ended, printed } = startScript(npmStart, ['--client', 'shop'], { PORT: String(port) });
    try {
      await printed(`http://payments.localhost:${port}`);
      await printed('ledger, with the secret the-secret-of-ledger-in-the-local-environment');
      await printed('shop, with the secret the-secret-of-shop-in-the-local-environment');
      await printed('Ctrl+C');
      expect((await ask(`http://payments.localhost:${port}/`)).text).toContain('ada@payments.example');
      const login = `http://login.payments.localhost:${port}`;
      // As curl, wait-on and Playwright's `webServer` ask.
      const page = await ask(`${login}/login`, { headers: { Accept: '*/*' } });
      expect([page.status, page.text]).toEqual([200, expect.stringContaining('app-config')]);
      expect((await ask(`${login}/assets/main.js`)).status).toBe(200);
      for (const gone of ['/assets/gone.js', '/gone.json'])
        expect(await ask(login + gone)).toMatchObject({ status: 404, text: 'Not found.\n' });
      child.kill('SIGINT');
      child.kill('SIGINT');
      expect(await ended).toMatchObject({ code: 0 });
      await expect(ask(`http://payments.localhost:${port}/`)).rejects.toThrow('ECONNREFUSED');
    } finally {
      child.kill('SIGKILL');
      await rm(path.join(projectFolder, '.local', String(port)), { recursive: true, force: true });
    }
  });

  test('reports that the port is in use, and how to choose another', async () => {
    another = await listen(http.createServer(), 0);
    const { ended } = startScript(npmStart, [], { PORT: String(another.port) });
    const { code, output } = await ended;
    expect(code).toBe(1);
    expect(output).toBe(
      `Port ${another.port} is taken by another program on this machine.\n` +
        `Stop that program, or choose another port, such as ${another.port + 10}.\n`,
    );
  });

  test('rejects an invalid port with a message', async () => {
    const { code, output } = await startScript(npmStart, [], { PORT: '40 00' }).ended;
    expect(code).toBe(1);
    expect(output).toBe("The port must be a number from 1 to 65535, not '40 00'.\n");
  });

  test.each(['abc', '0', '70000', '-1', '4e3', '4000.5'])('rejects the port %s', (text) => {
    expect(() => portFrom(text)).toThrow(`The port must be a number from 1 to 65535, not '${text}'.`);
  });

  test('uses the port of PORT, or 4000', () => {
    expect([portFrom('4010'), portFrom(''), portFrom(undefined)]).toStrictEqual([4010, 4000, 4000]);
  });

  test('reports an unknown option, and lists the known ones', async () => {
    const { code, output } = await startScript(npmStart, ['--prodution']).ended;
    expect(code).toBe(1);
    expect(output).toContain('Unknown option --prodution.');
    expect(output).toContain('npm start -- --production');
  });
});
