/** @jest-environment node */
import { soak, type Scenario } from '../soak/soak';

// What the model can detect; `npm run soak` plays a week with it.
jest.setTimeout(60_000);

const short = { seed: 7, tabs: 6, hours: 6 };
/** In a short time more calls fail than in a week of `npm run soak`. */
const faults = { ...short, losses: { requests: 0.04, answers: 0.08 } };

it('a soak gives the same result a second time', async () => {
  const scenario = { ...faults, hours: 3, name: 'again' };
  expect(await soak(scenario)).toEqual(await soak(scenario));
});

describe('a service that ends the session when a used token is sent again', () => {
  const slowly: Scenario = {
    ...short,
    name: 'no grace',
    graceSeconds: 0,
    withoutFaults: true,
    losses: { requests: 0.1, answers: 0, slow: 0.4 },
  };

  it('slow answers are awaited: no call is repeated, no session is lost', async () => {
    const { sent, faulty, lifetimes, forcedSignOuts, zombies, crashes } = await soak(slowly);
    expect(faulty).toBeGreaterThan(0);
    expect(sent - faulty).toBe(lifetimes);
    expect({ forcedSignOuts, zombies, crashes }).toEqual({ forcedSignOuts: 0, zombies: 0, crashes: 0 });
  });

  it('loses sessions if the configuration wrongly names a grace period', async () => {
    const { forcedSignOuts } = await soak({ ...slowly, saidGraceSeconds: 10 });
    expect(forcedSignOuts).toBeGreaterThan(0);
  });
});

it('the model detects lost sessions: with every second answer lost, some end', async () => {
  const figures = await soak({
    ...short,
    hours: 3,
    name: 'hopeless',
    losses: { requests: 0.5, answers: 0.7 },
  });
  expect(figures.forcedSignOuts).toBeGreaterThan(0);
});
