import { newDatabase } from '../support/postgres.ts';
import { startTestService } from '../support/testService.ts';
import { environmentOf, vestibule } from '../support/vestibule.ts';

test('Commands list sessions and trusted devices, end some of them, and log who did it', async () => {
  const url = await newDatabase();
  await using service = await startTestService({ database: { url }, now: Date.now });
  const variables = { ...environmentOf(url), SUDO_USER: 'grace' };
  const done = async (...args: readonly string[]): Promise<unknown> => {
    const { status, stdout } = await vestibule(variables, ['accounts', ...args]);
    expect(status).toBe(0);
    return JSON.parse(stdout);
  };
  const ida = 'ida@example.com';
  const { bearer } = await service.signedIn({ username: ida });
  await service.directory.accounts.trustDevice(ida);
  const session = (await done('sessions', ida)) as { readonly id: string };
  const device = (await done('trusted-devices', ida)) as { readonly id: string };
  expect(await done('end-sessions', ida, session.id)).toEqual({ sessionsEnded: ida });
  expect((await service.get('/auth/v1/sessions', { bearer })).status).toBe(401);
  expect(await done('forget-devices', ida, device.id)).toEqual({ devicesForgotten: ida });
  expect(await service.directory.sessions.trustedDevices(ida)).toEqual([]);
  const entries = [];
  for await (const { event, administrator } of service.directory.auditLog.read({ username: ida }))
    entries.push(`${event} ${administrator ?? 'user'}`);
  expect(entries.slice(-2)).toEqual(['sessions-ended grace', 'devices-forgotten grace']);
});
