// @ts-check

/** @typedef {import('../../../scripts/bytes/chromium.mjs').Profile} Profile */

/** @type {Profile} */
export const slow4g = {
  name: 'slow 4G, CPU x4 (150 ms, 1.6 Mbps down, 750 kbps up)',
  cpu: 4,
  network: { latency: 150, down: 1_600_000, up: 750_000 },
};

/** @type {Profile} */
export const slow4gWarm = { ...slow4g, name: `${slow4g.name}, warm cache`, warm: true };
