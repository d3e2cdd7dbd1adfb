import { minutesAndSeconds, TimeLeft } from '@features/confirmations/TimeLeft';
import { screen } from '@testing-library/react';
import { renderView } from '../../support/renderView';

it.each([
  [900, '15:00'],
  [299, '4:59'],
  [60, '1:00'],
  [9, '0:09'],
  [0, '0:00'],
])('%d s are written as %s', (seconds, expected) => {
  expect(minutesAndSeconds(seconds)).toBe(expected);
});

it('screen readers say the rest of the time at 60 s and at 30 s, and nothing in between', () => {
  const { rerender } = renderView(<TimeLeft secondsLeft={61} />);
  const said = screen.getByRole('status');
  const heard = new Map<number, string>();
  for (let secondsLeft = 61; secondsLeft >= 0; secondsLeft -= 1) {
    const before = said.textContent;
    rerender(<TimeLeft secondsLeft={secondsLeft} />);
    if (said.textContent !== before) heard.set(secondsLeft, said.textContent);
  }
  expect([...heard]).toEqual([
    [60, 'Time left: 1:00'],
    [55, ''],
    [30, 'Time left: 0:30'],
    [25, ''],
  ]);
});
