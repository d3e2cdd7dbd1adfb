import { limitsOf } from '../src/platform/http/limiter.ts';
import { settingsFrom, type RateLimit } from '../src/core/settings/options.ts';

it('a limit ends after a minute also if the clock of the machine was wrong when it began', () => {
  const origins = { issuer: 'https://api.example.test', allowedOrigins: ['https://login.example.test'] };
  const options = { database: { folder: null }, ...origins };
  const { rateLimit } = settingsFrom({ ...options, rateLimit: { requestsPerMinute: 1 } });
  const limiter = limitsOf<RateLimit>(rateLimit).limiter('requestsPerMinute');
  const begin = performance.now();
  const elapsed = jest.spyOn(performance, 'now').mockReturnValue(begin);
  const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 500 * 86_400_000);
  expect([limiter.count('a network'), limiter.count('a network')]).toEqual([null, 60]);
  clock.mockRestore();
  expect(limiter.count('a network')).toBe(60);
  elapsed.mockReturnValue(begin + 60_000);
  expect(limiter.count('a network')).toBeNull();
});
