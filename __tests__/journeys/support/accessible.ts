import { setTimeout } from 'node:timers/promises';
import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import { PNG } from 'pngjs';

/** How axe names an element: selectors from the outermost frame inwards. */
type Target = Awaited<ReturnType<AxeBuilder['analyze']>>['incomplete'][number]['nodes'][number]['target'];

/** The contrast of both schemes is also calculated in the unit tests. */
const colorSchemes = process.env['TEST_ALL'] === '1' ? (['light', 'dark'] as const) : (['light'] as const);

/**
 * No violation of any rule of axe; text over an image is checked as painted. In light, and in dark as well in
 * full runs.
 *
 * @param time - `paused`: the page's clock is, so that what is shown briefly stays
 */
export async function expectAccessible(page: Page, time?: 'paused'): Promise<void> {
  // Boxes are measured from the window's top, the screenshot from the page's.
  await page.evaluate(() => scrollTo(0, 0));
  for (const colorScheme of colorSchemes) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    // Otherwise axe finishes in a separate page, for frames of other origins, which do not exist here; that takes three times as long.
    const analysis = new AxeBuilder({ page }).setLegacyMode().analyze();
    const { violations, incomplete } = await (time === 'paused' ? beside(page, analysis) : analysis);
    expect(
      violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => html) })),
      colorScheme,
    ).toEqual([]);
    await expectDrawnReadably(
      page,
      await withText(
        page,
        incomplete.flatMap(({ id, nodes }) =>
          id === 'color-contrast' ? nodes.map(({ target }) => target) : [],
        ),
      ),
    );
  }
}

/** How often axe's timers are fired, ms: rarely enough that axe does not wait for the page meanwhile. */
const letEveryMs = 25;

/** Advances a paused clock for axe's own timers, which wait very briefly, a millisecond at a time. */
async function beside<Result>(page: Page, analysis: Promise<Result>): Promise<Result> {
  const over = new AbortController();
  const result = analysis.finally(() => {
    over.abort();
  });
  while (!over.signal.aborted) {
    await page.clock.runFor(1);
    await setTimeout(letEveryMs);
  }
  return await result;
}

/** Without empty fields, such as the boxes of a code: what is painted there is a line, not a text. */
async function withText(page: Page, targets: readonly Target[]): Promise<readonly Target[]> {
  const isEmpty = await Promise.all(
    targets.map((target) =>
      page
        .locator(String(target[0]))
        .evaluate((node) => node instanceof HTMLInputElement && node.value === ''),
    ),
  );
  return targets.filter((_target, at) => isEmpty[at] !== true);
}

/** The texts that axe could not decide on, because a gradient or an image is behind them. */
async function expectDrawnReadably(page: Page, targets: readonly Target[]): Promise<void> {
  if (targets.length === 0) return;
  const options = { fullPage: true, animations: 'disabled', scale: 'css' } as const;
  const picture = PNG.sync.read(await page.screenshot(options));
  for (const target of targets) {
    const box = await page.locator(String(target[0])).boundingBox();
    expect(contrastIn(picture, box ?? nothing), String(target[0])).toBeGreaterThanOrEqual(4.5);
  }
}

const nothing = { x: 0, y: 0, width: 1, height: 1 };

/** The ratio of the lightest to the darkest pixel in a box (WCAG 2.2, 1.4.3). */
function contrastIn(picture: PNG, { x, y, width, height }: typeof nothing): number {
  let darkest = 1;
  let lightest = 0;
  for (let row = Math.floor(y); row < Math.min(y + height, picture.height); row += 1) {
    for (let column = Math.floor(x); column < Math.min(x + width, picture.width); column += 1) {
      const at = 4 * (row * picture.width + column);
      const [red = 0, green = 0, blue = 0] = Array.from(picture.data.subarray(at, at + 3), linear);
      const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
      darkest = Math.min(darkest, luminance);
      lightest = Math.max(lightest, luminance);
    }
  }
  return (lightest + 0.05) / (darkest + 0.05);
}

function linear(channel: number): number {
  const value = channel / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}
