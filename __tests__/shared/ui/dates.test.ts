import { formatTimeNear } from '@shared/ui/date';

describe('a time that is near', () => {
  const now = new Date(2026, 10, 24, 16, 5).getTime();
  it.each([
    ['later today', new Date(2026, 10, 24, 23, 59), '11:59 pm'],
    ['earlier today', new Date(2026, 10, 24, 0, 0), '12:00 am'],
    ['tomorrow', new Date(2026, 10, 25, 0, 0), 'November 25th, 2026 at 12:00 am'],
    ['in a year', new Date(2027, 10, 24, 16, 5), 'November 24th, 2027 at 4:05 pm'],
  ])('is written with its day unless that is today: %s', (_when, at, expected) => {
    expect(formatTimeNear(at.toISOString(), now)).toBe(expected);
  });
});
