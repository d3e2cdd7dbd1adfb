/**
 * The entry of the bundle. If `inlineLogin.ts` has shown the first step, the code is evaluated in several tasks, so that the
 * browser can handle keys and presses between them (docs/decisions.md#the-first-code-runs-in-pieces). Otherwise it is
 * evaluated at once.
 */
import { nextTask } from '@shared/ports/browser/nextTask';

const isShown = document.getElementById('root')?.hidden === false;
const pause = isShown ? nextTask : () => undefined;

/**
 * Waits for the first paint, which code from the cache would delay, but at most 500 ms, because a background tab paints
 * nothing.
 */
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
