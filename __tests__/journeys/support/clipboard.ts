import type { BrowserContext } from '@playwright/test';
import type { World } from './world';

/** What is in the clipboard, read on a page that may read it: the login host's own policy forbids that. */
export async function readClipboard(context: BrowserContext, world: World): Promise<string> {
  const reader = await context.newPage();
  await reader.goto(`${world.origin('outbox')}/`);
  const text = await reader.evaluate(() => navigator.clipboard.readText());
  await reader.close();
  return text;
}
