/*
 * The entry. Evaluates the code in pieces where `inlineLogin.ts` has shown the first step, each in its own task: keys, presses and
 * paints come between them (docs/decisions.md). Elsewhere there is nothing to keep free, and all runs at once.
 */
import { nextTask } from '@shared/ports/browser/nextTask';

const isShown = document.getElementById('root')?.hidden === false;
const pause = isShown ? nextTask : () => undefined;

/** Code from the cache arrives before the first paint, and would hold it up. In a background tab nothing is painted: 500 ms. */
function firstPaint(): Promise<unknown> {
  return new Promise((resolve) => {
    new PerformanceObserver(resolve).observe({ type: 'paint', buffered: true });
    setTimeout(resolve, 500);
  });
}

async function run(): Promise<void> {
  if (isShown) await firstPaint();
  await import(/* webpackMode: "eager" */ 'react-dom/client');
  await pause();
  const { start } = await import(/* webpackMode: "eager" */ './start');
  await start(pause);
}

void run();
