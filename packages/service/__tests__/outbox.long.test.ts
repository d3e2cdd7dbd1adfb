import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { smtpMail } from '../src/index.ts';
import { untilOpen } from './support/testDeployment.ts';
import { freePorts } from '@vestibule/contract/testing/freePorts';
import { openMailbox } from './support/mailbox.ts';
import { newDatabase } from './support/postgres.ts';
import { ada, encryptionKey, startTestService } from './support/testService.ts';

const project = resolve(__dirname, '../../..');
const command = ['--import', 'tsx', 'packages/service/src/cli/vestibule.ts'];
const from = 'no-reply@payments.example';

describe('a message of a process on PostgreSQL', () => {
  let url: string;
  let silent: Server;
  let environment: NodeJS.ProcessEnv;

  beforeAll(async () => {
    url = await newDatabase();
    // Accepts connections, and never says a word.
    silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    environment = {
      PATH: process.env['PATH'],
      ISSUER: 'https://api.example.com',
      ALLOWED_ORIGINS: 'https://login.example.com',
      DATABASE_URL: url,
      ENCRYPTION_KEY: encryptionKey,
      SMTP_URL: `smtp://127.0.0.1:${port}`,
      MAIL_FROM: from,
    };
    const service = await startTestService({ database: { url }, now: Date.now });
    await service.write();
    await service.close();
  });
  afterAll(() => {
    silent.close();
  });

  it('that is killed while the mail server hangs is sent by another one, once', async () => {
    const [port = 0] = await freePorts(1);
    const killed = spawn(process.execPath, [...command, 'serve'], {
      cwd: project,
      env: { ...environment, PORT: String(port) },
      stdio: 'ignore',
    });
    await untilOpen(port);
    const isTrying = once(silent, 'connection');
    const response = await fetch(`http://127.0.0.1:${port}/password-reset/v1/forgot-password`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email: ada }),
    });
    expect(response.status).toBe(200);
    await isTrying;
    const gone = once(killed, 'exit');
    killed.kill('SIGKILL');
    await gone;

    const mailbox = await openMailbox();
    // Its clock is behind the time after which it takes the message over.
    const other = await startTestService({
      database: { url },
      now: () => Date.now() + 61_000,
      outbox: smtpMail({ url: mailbox.url, from }),
    });
    const { mail } = await mailbox.nextMail();
    expect(mail.subject).toBe('Reset your password');
    await other.close();
    await mailbox.close();
    const after = await startTestService({ database: { url } });
    expect(await after.directory.pendingMessages()).toEqual([]);
    await after.close();
  });

  it('that was given up is listed, retried and dropped on the command line, without what it says', async () => {
    const choosy = await openMailbox({ refuse: ada });
    const service = await startTestService({
      database: { url },
      now: Date.now,
      outbox: smtpMail({ url: choosy.url, from }),
    });
    await expect(service.directory.resetLink(ada, { mail: true })).rejects.toThrow('not sent');
    await service.close();
    await choosy.close();

    const vestibule = async (...args: readonly string[]): Promise<readonly Record<string, unknown>[]> => {
      const { stdout } = await promisify(execFile)(process.execPath, [...command, 'outbox', ...args], {
        cwd: project,
        env: environment,
      });
      expect(stdout).not.toMatch(/ada@|https?:/);
      const lines = stdout.split('\n').filter((line) => line !== '');
      return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    };
    const [failed] = await vestibule('list', '--failed');
    expect(failed).toMatchObject({
      channel: 'mail',
      kind: 'reset',
      state: 'failed',
      lastError: 'EENVELOPE-550',
    });
    const id = String(failed?.['id']);
    expect(await vestibule('retry', id)).toEqual([{ retried: 1 }]);
    expect(await vestibule('list')).toMatchObject([{ id, state: 'waiting' }]);
    expect(await vestibule('drop', id)).toEqual([{ dropped: 1 }]);
    expect(await vestibule('list')).toEqual([]);
    await expect(vestibule('drop')).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Give the ids of messages, or --failed') as unknown,
    });
  });
});
