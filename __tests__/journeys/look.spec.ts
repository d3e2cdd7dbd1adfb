import path from 'node:path';
import type { Page } from '@playwright/test';
import { failedRequest } from './support/pageFaults';
import { passwordTours } from './support/passwordTours';
import { expect, test } from './support/test';
import { signInTours } from './support/signInTours';
import { twoStepTours } from './support/twoStepTours';

const tours = { ...signInTours, ...twoStepTours, ...passwordTours };

const sizes = [
  { width: 320, height: 640 },
  { width: 360, height: 780 },
  { width: 1280, height: 800 },
] as const;

/** Runs in a page: elements that overflow the window, or the right side of their box. */
function stickingOut(): string[] {
  const { clientWidth, scrollWidth } = document.documentElement;
  const shown = Array.from(document.querySelectorAll<HTMLElement>('header *, main *, dialog *'));
  const over = shown.filter((element) => {
    const { left, right, width } = element.getBoundingClientRect();
    const holder = element.parentElement?.getBoundingClientRect();
    // Content for screen readers only is one pixel wide.
    return (
      width > 1 && (left < 0 || right > clientWidth || (holder !== undefined && right > holder.right + 1))
    );
  });
  return [
    ...(scrollWidth > clientWidth ? ['the page'] : []),
    ...over.map((element) => element.outerHTML.slice(0, 200)),
  ];
}

/** Screenshots of a screen in every size and colour scheme, and a check that nothing overflows. */
async function drawEverySize(page: Page, name: string): Promise<void> {
  const folder = path.join(test.info().project.outputDir, 'look');
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const size of sizes) {
      await page.setViewportSize(size);
      const file = path.join(folder, `${name}-${colorScheme}-${String(size.width)}.png`);
      await page.screenshot({ path: file, animations: 'disabled', fullPage: true });
      expect(await page.evaluate(stickingOut), `${name} at ${String(size.width)} px`).toEqual([]);
    }
  }
}

/** Every screen in every look, for visual review: `TEST_ALL=1 npx playwright test look`. */
for (const look of ['default', 'epay'] as const) {
  test.describe(`Screenshots in the ${look} look:`, { tag: '@look' }, () => {
    test.slow();
    const query = look === 'epay' ? '?application=e-pay' : '';

    for (const [subject, tour] of Object.entries(tours)) {
      test(
        subject,
        async ({ page, world, login, twoStep, codes, passwords, signedInAs, openProvider, pageFaults }) => {
          pageFaults.allow(failedRequest(401));
          const walker = { page, world, login, twoStep, codes, passwords, signedInAs, openProvider };
          await tour(walker, query, (screen) => drawEverySize(page, `${screen}-${look}`));
        },
      );
    }
  });
}
