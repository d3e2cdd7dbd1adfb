import type { Page } from '@playwright/test';
import type { LocalEnvironment } from './environment';

/** A field on a page of its own: there every browser lets its user copy, paste and undo without a question. */
async function inField<Result>(
  page: Page,
  environment: LocalEnvironment,
  use: (field: ReturnType<Page['locator']>, reader: Page) => Promise<Result>,
): Promise<Result> {
  const reader = await page.context().newPage();
  await reader.goto(`${environment.origin('app')}/assets/none`);
  await reader.evaluate(() => {
    document.body.replaceChildren(document.createElement('textarea'));
  });
  const result = await use(reader.locator('textarea'), reader);
  await reader.close();
  await page.bringToFront();
  return result;
}

/** What the clipboard holds, pasted with the user's key. */
export async function readClipboard(page: Page, environment: LocalEnvironment): Promise<string> {
  return await inField(page, environment, async (field, reader) => {
    await field.focus();
    await reader.keyboard.press('ControlOrMeta+v');
    return await field.inputValue();
  });
}

/** Copies with the user's key. */
export async function copy(page: Page, environment: LocalEnvironment, text: string): Promise<void> {
  await inField(page, environment, async (field, reader) => {
    await field.fill(text);
    await reader.keyboard.press('ControlOrMeta+a');
    await reader.keyboard.press('ControlOrMeta+c');
  });
}

/** Whether the browser undoes what was typed, at the user's key. */
export async function canUndo(page: Page, environment: LocalEnvironment): Promise<boolean> {
  return await inField(page, environment, async (field, reader) => {
    await field.focus();
    await reader.keyboard.type('a');
    await reader.keyboard.press('ControlOrMeta+z');
    return (await field.inputValue()) === '';
  });
}
