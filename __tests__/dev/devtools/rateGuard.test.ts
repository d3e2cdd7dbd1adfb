import { createRateGuard } from '@dev/devtools/rateGuard';
import { createFakeClock, createFakeLog } from '../../support/fakePorts';

const open = () => {
  const ports = { clock: createFakeClock(), log: createFakeLog() };
  const guard = createRateGuard();
  guard.start(ports);
  return {
    ...ports,
    dispatch: (times: number) => {
      for (let time = 0; time < times; time += 1) guard.count('signIn/loginEntered');
    },
  };
};

it('more than 50 events in a second are warned of, once in each second', () => {
  const { clock, log, dispatch } = open();
  dispatch(50);
  expect(log.warnings).toEqual([]);
  dispatch(100);
  expect(log.warnings).toMatchObject([{ facts: { type: 'signIn/loginEntered', count: 51 } }]);
  clock.advance(1000);
  dispatch(51);
  expect(log.warnings).toHaveLength(2);
});

it('as many events over more time are not', () => {
  const { clock, log, dispatch } = open();
  for (let second = 0; second < 10; second += 1) {
    dispatch(40);
    clock.advance(1000);
  }
  expect(log.warnings).toEqual([]);
});
