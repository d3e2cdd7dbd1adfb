import type { Locator } from '@playwright/test';

/**
 * Presses the mouse on a button as fast as possible, enabled or not. Playwright's own click waits for the button to be
 * enabled, which a user does not.
 */
export async function pressMouse(button: Locator, times = 1): Promise<void> {
  const box = await button.boundingBox();
  if (box === null) throw new Error('There is nothing to press.');
  const { mouse } = button.page();
  await mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  for (let press = 0; press < times; press += 1) {
    await mouse.down();
    await mouse.up();
  }
}
