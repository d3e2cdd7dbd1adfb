/*
 * The entry. Evaluates the code in pieces where `door.ts` has shown the first step, each in a task of its own: keys, presses and
 * paints come between them (docs/performance.md). Elsewhere there is nothing to keep free, and all runs at once.
 */
const isShown = document.getElementById('root')?.hidden === false;
const pause = isShown ? nextTask : () => undefined;

/** A message, because timers are slowed down in the background. */
function nextTask(): Promise<unknown> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = resolve;
    port2.postMessage(null);
  });
}

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
