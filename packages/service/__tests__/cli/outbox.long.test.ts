import { smtpMail } from '../../src/index.ts';
import { openMailbox } from '../support/mailbox.ts';
import { newDatabase } from '../support/postgres.ts';
import { ada, startTestService } from '../support/testService.ts';
import { environmentOf, vestibule } from '../support/vestibule.ts';

it('a message that was given up is listed, retried and dropped on the command line, without what it says', async () => {
  const url = await newDatabase();
  const choosy = await openMailbox({ refuse: ada });
  const outbox = smtpMail({ url: choosy.url, from: 'no-reply@payments.example' });
  const service = await startTestService({ database: { url }, now: Date.now, outbox });
  await service.write();
  await expect(service.directory.links.reset(ada, { mail: true })).rejects.toThrow('not sent');
  await service.close();
  await choosy.close();

  const run = async (...args: readonly string[]) => {
    const { stdout, stderr } = await vestibule(environmentOf(url), ['outbox', ...args]);
    expect([stdout, stderr]).not.toContainEqual(expect.stringMatching(/ada@|https?:/));
    const lines = stdout.split('\n').filter((line) => line !== '');
    return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  };
  const [failed] = await run('list', '--failed');
  const facts = { channel: 'mail', kind: 'reset', state: 'failed', lastError: 'EENVELOPE-550' };
  expect(failed).toMatchObject(facts);
  const id = String(failed?.['id']);
  expect(await run('retry', id)).toEqual([{ retried: 1 }]);
  expect(await run('list')).toMatchObject([{ id, state: 'waiting' }]);
  expect(await run('drop', id)).toEqual([{ dropped: 1 }]);
  expect(await run('list')).toEqual([]);
  const { status, stderr } = await vestibule(environmentOf(url), ['outbox', 'drop']);
  expect([status, stderr]).toEqual([1, expect.stringContaining('Give the ids of messages, or --failed')]);
});
