import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startEnvironment, type RunningEnvironment } from '../src/localEnvironment.ts';
import { ask, navigation } from './support/ask.ts';

test('a restarted environment keeps links and changed accounts, and shows valid links, until it is started with --fresh', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'vestibule-environment-'));
  const start = (fresh = false): Promise<RunningEnvironment> =>
    startEnvironment({
      port: 0,
      distFolder: folder,
      stateFolder: folder,
      fresh,
      service: { rateLimit: 'off', passwordHash: { memoryKib: 64, passes: 1 } },
    });
  const ada = 'ada@payments.example';
  const first = await start();
  const { id } = await first.service.directory.links.reset(ada);
  const sam = first.accounts.find(({ username }) => username === 'several@payments.example')?.account;
  if (!sam) throw new Error('There is no Sam.');
  await first.service.directory.accounts.upsert({ ...sam, firstName: 'Samuel' });
  await first.close();

  const second = await start();
  const { directory } = second.service;
  const page = await ask(`http://payments.localhost:${second.port}/`, { headers: navigation });
  const [, shown = ''] = /<a\s+href="[^"]*\/reset-password\/([^"]+)"/.exec(page.text) ?? [];
  expect(await directory.links.isUntouched(id)).toBe(true);
  expect(await directory.links.isUntouched(shown)).toBe(true);
  expect(await directory.accounts.find('several@payments.example')).toMatchObject({ firstName: 'Samuel' });
  await second.close();

  const third = await start(true);
  expect(await third.service.directory.links.isUntouched(id)).toBe(false);
  expect(await third.service.directory.accounts.find('several@payments.example')).toMatchObject({
    firstName: 'Sam',
  });
  await third.close();
  await third.close();
  await rm(folder, { recursive: true });
});
