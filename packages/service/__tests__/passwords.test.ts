import { createPasswords } from '../src/security/passwords.ts';

it('a password takes the same work to check for an unknown user as for a known one', async () => {
  const passwords = createPasswords({ memoryKib: 16_384, passes: 3, atOnce: 1 });
  const stored = await passwords.hash('Correct-horse7');
  expect(passwords.isOurs(stored)).toBe(true);
  /** Processor time of ten checks. */
  const workFor = async (hash: string | null): Promise<number> => {
    const begin = process.cpuUsage();
    for (let count = 0; count < 10; count += 1)
      expect(await passwords.matches(hash, 'Wrong-horse7')).toBe(false);
    const { user, system } = process.cpuUsage(begin);
    return user + system;
  };
  await workFor(stored);
  const ratio = (await workFor(null)) / (await workFor(stored));
  expect(ratio).toBeGreaterThan(0.6);
  expect(ratio).toBeLessThan(1.6);
});
