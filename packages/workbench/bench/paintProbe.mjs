// @ts-check
// Runs inside the measured page. The function is sent as text, so it uses nothing from outside.

/**
 * @typedef {object} PaintProbe
 * @property {number} fcp - ms since navigation
 * @property {number} lcp - ms since navigation
 * @property {number} blocking - total blocking time, ms: all long tasks, each less 50 ms
 * @property {number} longest - longest task, ms; 0 when none exceeds 50
 * @property {number} shift - cumulative layout shift
 */

/** Watches paints, long tasks and layout shifts. */
export function installPaintProbe() {
  /** @type {PaintProbe} */
  const probe = { fcp: 0, lcp: 0, blocking: 0, longest: 0, shift: 0 };
  Object.assign(globalThis, { paintProbe: probe });
  /** @type {(type: string, take: (entry: any) => void) => void} */
  const watch = (type, take) => {
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true });
  };
  watch('paint', ({ name, startTime }) => {
    if (name === 'first-contentful-paint') probe.fcp = startTime;
  });
  watch('largest-contentful-paint', ({ startTime }) => {
    probe.lcp = startTime;
  });
  watch('longtask', ({ duration }) => {
    probe.blocking += Math.max(0, duration - 50);
    probe.longest = Math.max(probe.longest, duration);
  });
  watch('layout-shift', ({ value, hadRecentInput }) => {
    if (!hadRecentInput) probe.shift += value;
  });
}
