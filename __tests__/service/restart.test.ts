/** @jest-environment node */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createService } from '../../service';
import { emptyDatabase } from './support/postgres';
import { account, signIn, startTestService, text } from './support/testService';

jest.setTimeout(120_000);

const kinds = [
  {
    name: 'a data folder',
    make: () => {
      const folder = mkdtempSync(join(tmpdir(), 'vestibule-restart-'));
      const remove = (): Promise<void> => {
        rmSync(folder, { recursive: true, force: true });
        return Promise.resolve();
      };
      return Promise.resolve({ database: { folder }, remove });
    },
  },
  {
    name: 'a PostgreSQL server',
    make: async () => {
      return { database: { url: await emptyDatabase() }, remove: () => Promise.resolve() };
    },
  },
];

describe.each(kinds)('after a restart on $name', ({ make }) => {
  it('accounts, sessions, bearers, trusted devices and lockouts are as they were', async () => {
    const { database, remove } = await make();
    const before = await startTestService({ database });
    const { uid } = await before.service.directory.upsertAccount(account());
    const session = await signIn(before);
    await before.service.directory.lock('bob@example.com');
    await before.close();

    const after = await startTestService({ database });
    const user = await after.get(`/user-management/v1/users/${uid}`, { bearer: text(session, 'token') });
    const refreshed = await after.post('/auth/v1/refresh', { refresh: text(session, 'refresh') });
    const again = await signIn(after);
    const locked = await signIn(after, { username: 'bob@example.com' });
    await after.close();
    await remove();

    expect([user.status, refreshed.status, again.status, locked.status]).toEqual([200, 200, 200, 429]);
  });
});

describe('a data folder', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vestibule-folder-'));
  const options = {
    database: { folder },
    issuer: 'http://api.localhost',
    allowedOrigins: ['http://login.localhost'],
  };
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('is not opened twice, and is free again once the service has ended', async () => {
    const first = await createService(options);
    await expect(createService(options)).rejects.toThrow(
      `The data folder ${folder} is in use by process ${process.pid}. Stop it, or choose another folder.`,
    );
    await first.close();
    await (await createService(options)).close();
  });

  it.each([
    ['a process that is gone', '999999999'],
    ['a process that had our number before us', String(process.pid)],
    ['nobody readable', 'garbage'],
  ])('whose lock was left by %s is taken over', async (_who, content) => {
    writeFileSync(join(folder, 'owner.pid'), content);
    const service = await createService(options);
    expect(readFileSync(join(folder, 'owner.pid'), 'utf8')).toBe(String(process.pid));
    await service.close();
  });
});
