/** `npm run soak -w packages/workbench`: a week of one user's browser in virtual time, and the cost of an idle hour. */
import { idleHour } from './idleHour';
import { soak, type Figures, type Scenario } from './soak';

const twoDaysMs = 48 * 3_600_000;
const week = { seed: 20_261_121, hours: 168, tabs: 50 };

const scenarios: readonly Scenario[] = [
  { ...week, name: 'nothing goes wrong', withoutFaults: true },
  { ...week, name: 'lost answers, 5xx, 429, offline, sleep, sign-outs' },
  { ...week, name: 'the same, lease instead of locks', byLease: true },
  { ...week, name: 'the same, clock 48 h ahead', skewMs: twoDaysMs },
  { ...week, name: 'the same, clock 48 h behind', skewMs: -twoDaysMs },
  { ...week, name: 'the same, clock set forward by 48 h on the way', clockSetByMs: twoDaysMs },
  { ...week, name: 'the same, clock set back by 48 h on the way', clockSetByMs: -twoDaysMs },
  {
    ...week,
    name: 'a service without a grace: slow answers, lost requests',
    graceSeconds: 0,
    withoutFaults: true,
    losses: { requests: 0.02, answers: 0, slow: 0.2 },
  },
];

type Row = Readonly<Record<string, string | number>>;

function rowOf({ name, tabs, hours }: Scenario, figures: Figures): Row {
  const { sent, faulty, lifetimes, forcedSignOuts, zombies, signOuts, crashes } = figures;
  return {
    scenario: name,
    'tabs × hours': `${tabs} × ${hours}`,
    lifetimes,
    calls: sent,
    'met a fault': faulty,
    'calls per lifetime, less those': ((sent - faulty) / lifetimes).toFixed(2),
    'sign-outs': signOuts,
    'forced sign-outs': forcedSignOuts,
    'zombie sessions': zombies,
    crashes,
  };
}

const isKept = ({ sent, faulty, lifetimes, forcedSignOuts, zombies, crashes }: Figures): boolean =>
  sent - faulty === lifetimes && forcedSignOuts + zombies + crashes === 0;

async function main(): Promise<void> {
  const rows: Row[] = [];
  let kept = true;
  for (const scenario of scenarios) {
    const figures = await soak(scenario);
    rows.push(rowOf(scenario, figures));
    kept &&= isKept(figures);
    console.log(`played: ${scenario.name}`);
  }
  console.table(rows);
  const idle = await idleHour();
  console.log('Cost of an idle hour of one tab with a session:');
  console.table(idle);
  kept &&= idle.every(
    ({ actions, timers, 'cookie writes': writes }) => actions === 0 && timers === 0 && writes === 0,
  );
  console.log(kept ? 'kept' : 'NOT kept');
  process.exitCode = kept ? 0 : 1;
}

void main();
