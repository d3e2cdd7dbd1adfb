import { createRequire } from 'node:module';
import path from 'node:path';
import { expect, type Page } from '@playwright/test';
import type { AxeResults, run } from 'axe-core';
import type { LaboratoryPage } from '../../src/dev/lab';
import { PNG } from 'pngjs';
import { contrastIn } from './support/drawnContrast';
import { origin, test } from './support/laboratory';
import { savePicture, updatesPictures } from './support/savePicture';

declare const laboratory: LaboratoryPage;
declare const axe: { readonly run: typeof run };

type Look = Parameters<LaboratoryPage['show']>[1];
type Contrast = 'no-preference' | 'more';

const small = { width: 320, height: 640 };
const large = { width: 1280, height: 800 };

/** Opens one scenario; the others are drawn on the same page. Answers with their names. */
async function openScenarios(
  page: Page,
  { language = 'en', theme }: { readonly language?: string; readonly theme?: string } = {},
): Promise<readonly string[]> {
  await page.addInitScript({ path: createRequire(__filename).resolve('axe-core/axe.min.js') });
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const query = { scenario: 'auth.signIn/username/empty', ui_locales: language, ...(theme && { theme }) };
  await page.goto(`${origin}/?${new URLSearchParams(query).toString()}`);
  await expect(page.getByRole('heading')).toBeVisible();
  return await page.evaluate(() => laboratory.names);
}

/** Runs in the page: draws a scenario and waits for its chunk. */
async function draw([name, look]: readonly [string, Look]): Promise<void> {
  laboratory.show(name, look);
  while (!document.querySelector('#root :is(h1, p)')) await new Promise(requestAnimationFrame);
}

/** Runs in the page: elements that overflow the window, or the end of their box. */
function overflowing(): string[] {
  const { clientWidth, scrollWidth, dir } = document.documentElement;
  const shown = Array.from(document.querySelectorAll<HTMLElement>('header *, main *, dialog *'));
  // The field of a code is wider than its boxes: room for the caret behind the last digit.
  const codeField = '[autocomplete="one-time-code"]';
  const over = shown.filter((element) => {
    const { left, right, width } = element.getBoundingClientRect();
    // A word that does not break leaves the box of its text as it is.
    const isText = element.matches('p, li, h1, h2') && !element.querySelector(codeField);
    if (isText && element.scrollWidth > element.clientWidth + 1 && width > 1) return true;
    // A group of `Steps` has no box.
    const around = element.parentElement?.closest('*:not([class$="layout-module__part"])');
    const holder = around?.getBoundingClientRect() ?? { left: 0, right: clientWidth };
    const overEnd = dir === 'rtl' ? left < holder.left - 1 : right > holder.right + 1;
    if (element.matches(codeField)) return left < 0 || right > clientWidth;
    // Content for screen readers only is one pixel wide.
    return width > 1 && (left < 0 || right > clientWidth || overEnd);
  });
  return [
    ...(scrollWidth > clientWidth ? ['the page'] : []),
    ...over.map((element) => element.outerHTML.slice(0, 200)),
  ];
}

/** Runs in the page: elements whose border sticks out of their box. Forced colours draw the transparent ones too. */
function bordersOutside(): string[] {
  return Array.from(document.querySelectorAll<HTMLElement>('header *, main *, dialog *'))
    .filter((element) => {
      const { left, right } = element.getBoundingClientRect();
      const holder = element.parentElement
        ?.closest('*:not([class$="layout-module__part"])')
        ?.getBoundingClientRect();
      const hasBorder = parseFloat(getComputedStyle(element).borderInlineStartWidth) > 0;
      return hasBorder && holder && (left < holder.left - 1 || right > holder.right + 1);
    })
    .map((element) => element.outerHTML.slice(0, 200));
}

/**
 * Runs in the page: what axe finds, and the texts whose contrast it cannot determine because an image is behind them. With more
 * contrast also those that it leaves out: of disabled buttons, and placeholders.
 */
async function findings(contrast: Contrast) {
  const isMore = contrast === 'more';
  const { violations, incomplete }: AxeResults = await axe.run(document, {
    resultTypes: ['violations', 'incomplete'],
    elementRef: true,
    rules: { 'color-contrast': { enabled: !isMore }, 'color-contrast-enhanced': { enabled: isMore } },
  });
  const uncertain = incomplete
    .filter(({ id }) => id.startsWith('color-contrast'))
    .flatMap(({ nodes }) => nodes);
  const skipped = document.querySelectorAll(
    ':is(:disabled, [aria-disabled="true"]):not([aria-busy]) span:not(:has(*)), :placeholder-shown[placeholder]',
  );
  // Without its padding, since a border would be read too.
  const inner = isMore
    ? Array.from(skipped, (element) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        const inset = parseFloat(getComputedStyle(element).paddingBlockStart);
        return {
          html: element.outerHTML,
          box: {
            x: x + scrollX + inset,
            y: y + scrollY + inset,
            width: width - 2 * inset,
            height: height - 2 * inset,
          },
        };
      })
    : [];
  return {
    violations: violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary ?? ''}`),
    ),
    uncertain: [
      ...inner,
      ...uncertain.flatMap(({ html, element }) => {
        // An empty field, such as a box of a code, has no text but a line.
        if (!element || (element instanceof HTMLInputElement && element.value === '')) return [];
        const { x, y, width, height } = element.getBoundingClientRect();
        return [{ html, box: { x: x + scrollX, y: y + scrollY, width, height } }];
      }),
    ],
  };
}

async function pictureOf(page: Page): Promise<PNG> {
  return PNG.sync.read(await page.screenshot({ fullPage: true, animations: 'disabled', scale: 'css' }));
}

/** What is wrong with scenarios in one look, scheme, contrast and size. */
async function faultsOf(
  page: Page,
  names: readonly string[],
  look: Look,
  contrast: Contrast = 'no-preference',
): Promise<readonly string[]> {
  const ratio = contrast === 'more' ? 7 : 4.5;
  const faults: string[] = [];
  const read = new Set<string>();
  for (const name of names) {
    await page.evaluate(draw, [name, look] as const);
    let found = await page.evaluate(findings, contrast);
    const faint: string[] = [];
    const isUnread = ({ html }: { readonly html: string }): boolean => !read.has(html);
    while (found.uncertain.some(isUnread)) {
      const picture = await pictureOf(page);
      const before = found;
      found = await page.evaluate(findings, contrast);
      // A part whose chunk came meanwhile moved what is below it.
      if (JSON.stringify(found.uncertain) !== JSON.stringify(before.uncertain)) continue;
      for (const { html, box } of found.uncertain.filter(isUnread)) {
        read.add(html);
        if (contrastIn(picture, box) < ratio) faint.push(`faint: ${html}`);
      }
    }
    const outside = await page.evaluate(overflowing);
    for (const fault of [...found.violations, ...faint, ...outside]) faults.push(`${name}: ${fault}`);
  }
  return faults;
}

/** As pale and as dark as is accepted. */
const theme = {
  primary: { light: '#c8501e', dark: '#7e6ddd' },
  background: { light: '#f2e6c9', dark: '#1d2b1d' },
  surface: { light: '#fffbe8', dark: '#263826' },
};

const views = (['light', 'dark'] as const).flatMap((colorScheme) =>
  [
    { size: small, contrast: 'no-preference' as const },
    { size: large, contrast: 'no-preference' as const },
    { size: small, contrast: 'more' as const },
  ].flatMap((view) => (['default', 'epay'] as const).map((look) => ({ ...view, colorScheme, look }))),
);

test.describe('Every scenario of the laboratory', () => {
  test.setTimeout(600_000);

  for (const { colorScheme, size, look, contrast } of views)
    test(
      `is accessible in the ${look} look, ${colorScheme}, at ${String(size.width)} px, contrast ${contrast}`,
      { tag: '@long' },
      async ({ page }) => {
        const names = await openScenarios(page);
        expect(names.length).toBeGreaterThan(100);
        await page.emulateMedia({ colorScheme, contrast });
        await page.setViewportSize(size);
        expect(await faultsOf(page, names, { look }, contrast)).toEqual([]);
      },
    );

  test('fits 320 px with long words, left-to-right and right-to-left', { tag: '@long' }, async ({ page }) => {
    const names = await openScenarios(page);
    await page.setViewportSize(small);
    const faults: string[] = [];
    for (const dir of ['ltr', 'rtl'] as const)
      for (const name of names) {
        await page.evaluate(draw, [name, { words: 'long', dir }] as const);
        faults.push(...(await page.evaluate(overflowing)).map((fault) => `${name}, ${dir}: ${fault}`));
      }
    expect(faults).toEqual([]);
  });

  for (const dir of ['ltr', 'rtl'] as const)
    test(`shows the beginning of a long username, ${dir}`, { tag: '@long' }, async ({ page }) => {
      await openScenarios(page);
      await page.setViewportSize(small);
      await page.evaluate(draw, ['auth.signIn/choosing/every method', { words: 'long', dir }] as const);
      const shown = await page.locator('main button bdi').evaluate((element) => {
        const letters = document.createRange();
        return [0, element.textContent.length - 1].map((at) => {
          letters.setStart(element.firstChild as Text, at);
          letters.setEnd(element.firstChild as Text, at + 1);
          const [letter, box] = [letters.getBoundingClientRect(), element.getBoundingClientRect()];
          return letter.left >= box.left - 1 && letter.right <= box.right + 1;
        });
      });
      expect(shown).toEqual([true, false]);
    });

  for (const language of ['ar', 'de'])
    test(`is accessible in ${language}, at 320 px`, { tag: '@long' }, async ({ page }) => {
      const names = await openScenarios(page, { language });
      await expect(page.locator('html')).toHaveAttribute('lang', language);
      await page.setViewportSize(small);
      expect(await faultsOf(page, names, {})).toEqual([]);
    });

  for (const { look, colorScheme, contrast } of [
    { look: 'default', colorScheme: 'light', contrast: 'no-preference' },
    { look: 'epay', colorScheme: 'dark', contrast: 'more' },
  ] as const)
    test(
      `is accessible with a theme in the ${look} look, ${colorScheme}, contrast ${contrast}`,
      { tag: '@long' },
      async ({ page }) => {
        const names = await openScenarios(page, { theme: JSON.stringify(theme) });
        await expect(page.locator('html')).toHaveCSS('background-color', 'rgb(242, 230, 201)');
        await page.emulateMedia({ colorScheme, contrast });
        await page.setViewportSize(small);
        expect(await faultsOf(page, names, { look }, contrast)).toEqual([]);
      },
    );

  test('keeps every border in its column in forced colours', { tag: '@long' }, async ({ page }) => {
    const names = await openScenarios(page);
    await page.setViewportSize(small);
    await page.emulateMedia({ forcedColors: 'active' });
    const faults: string[] = [];
    for (const name of names) {
      await page.evaluate(draw, [name, {}] as const);
      faults.push(...(await page.evaluate(bordersOutside)).map((fault) => `${name}: ${fault}`));
    }
    expect(faults).toEqual([]);
  });
});

test.describe('The laboratory', () => {
  test(
    'shows a live preview of each scenario, in the look that is chosen',
    { tag: '@long' },
    async ({ page }) => {
      await page.goto(`${origin}/#lab`);
      await page.getByLabel('Find scenarios').fill('challenge/entering/text');
      await expect(page.getByRole('status')).toHaveText('1 scenarios');
      const preview = page.frameLocator('iframe');
      await expect(
        preview.getByRole('heading', { name: 'Enter MFA Code', includeHidden: true }),
      ).toBeVisible();
      // The previews leave the page where it is, and its focus.
      await expect(page.getByLabel('Find scenarios')).toBeFocused();
      expect(await page.evaluate(() => scrollY)).toBe(0);
      await page.getByLabel('Look of the page').selectOption('epay');
      await expect(preview.locator('[data-look=epay]')).toBeVisible();
      await page.getByRole('link', { name: 'text message' }).click();
      await expect(page.getByRole('heading', { name: 'Enter MFA Code' })).toBeVisible();
    },
  );

  test('shows a theme as it is edited, and what is wrong with it', { tag: '@long' }, async ({ page }) => {
    await page.goto(`${origin}/#lab`);
    await page.getByLabel('Find scenarios').fill('challenge/entering/text');
    const field = page.getByLabel('Theme of every brand (JSON)');
    const preview = page.frameLocator('iframe').locator('html');
    await field.fill('{"primary":"#635bff","background":{"light":"#ffe8d0","dark":"#201008"}}');
    await expect(preview).toHaveCSS('background-color', 'rgb(255, 232, 208)');
    await page.getByLabel('Colour scheme').selectOption('dark');
    await expect(preview).toHaveCSS('background-color', 'rgb(32, 16, 8)');
    await field.fill('{"primary":"#ffb3c7"}');
    await expect(
      page.getByText('(#ffb3c7) has a contrast of 1.67:1 with surface of the look (#ffffff)'),
    ).toBeVisible();
    await expect(preview).toHaveCSS('background-color', 'rgb(32, 16, 8)');
    await field.fill('');
    await expect(preview).toHaveCSS('background-color', 'rgb(11, 21, 24)');
  });

  test('names every scenario where the address has none of them', { tag: '@long' }, async ({ page }) => {
    await page.goto(`${origin}/?scenario=<img src=x>`);
    await expect(page.getByRole('alert')).toContainText('‘<img src=x>’');
  });

  test('replays a recording by the keys, and leads nowhere', { tag: '@long' }, async ({ page }) => {
    const events = [
      {
        type: 'location/locationChanged',
        payload: { route: 'login', pathname: '/login', search: '', key: '' },
      },
      { type: 'signIn/signInCompleted', payload: { kind: 'application', url: 'https://evil.example/' } },
      { type: 'crash/appCrashed' },
    ].map((action, at) => ({ at, action }));
    const recording = {
      vestibule: 1,
      version: '0',
      environment: 'x',
      look: 'default',
      embedding: 'none',
      events,
    };
    await page.goto(`${origin}/#replay`);
    await page.getByLabel('Text of the recording').fill('<b>no</b>');
    await expect(page.getByRole('alert')).toContainText('holds no JSON');
    await page.getByLabel('Text of the recording').fill(JSON.stringify(recording));

    const shown = page.frameLocator('iframe').locator('h1');
    await expect(shown).toHaveText(/An unexpected error occurred/);
    await page.getByLabel('Step of the recording').press('ArrowLeft');
    await expect(shown).toHaveText('You are signed in');
    await page
      .frames()[1]
      ?.locator('a')
      .evaluate((link: HTMLElement) => link.click());
    await page.getByLabel('Step of the recording').press('Home');
    await expect(shown).toHaveText('Welcome');
    await page.getByRole('button', { name: 'Play at its own speed' }).click();
    await expect(shown).toHaveText(/An unexpected error occurred/);
    expect(page.frames().map((frame) => frame.url())).toEqual([
      `${origin}/#replay`,
      `${origin}/?scenario=recording`,
    ]);
    expect(await page.context().cookies()).toEqual([]);
  });
});

if (updatesPictures)
  for (const colorScheme of ['light', 'dark'] as const)
    test(`draws the pictures of the documents, ${colorScheme}`, async ({ page }) => {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.setViewportSize({ width: 800, height: 520 });
      await page.goto(`${origin}/#lab`);
      await page.getByLabel('Find scenarios').fill('mfa.enrolment/code');
      await page.getByLabel('Colour scheme').selectOption(colorScheme);
      const previews = page.locator('iframe');
      for (const preview of [previews.nth(0), previews.nth(1), previews.nth(2)])
        await expect(
          preview.contentFrame().getByRole('heading', { includeHidden: true }).first(),
        ).toBeVisible();
      await page.evaluate(() => scrollTo(0, 140));
      savePicture(`laboratory-${colorScheme}.png`, await page.screenshot({ scale: 'css' }));

      await page.goto('about:blank');
      await page.goto(`${origin}/#replay`);
      const file = path.resolve(__dirname, '../recordings/no-login-methods.recording.txt');
      await page.getByLabel('File of the recording').setInputFiles(file);
      const dialog = page.locator('iframe').contentFrame().getByRole('alertdialog', { includeHidden: true });
      await expect(dialog).toBeVisible();
      await page.evaluate(() => scrollTo(0, 170));
      savePicture(`replay-${colorScheme}.png`, await page.screenshot({ scale: 'css' }));
    });
