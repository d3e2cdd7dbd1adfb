import type { Page } from '@playwright/test';

/** Where something is drawn, in CSS pixels from the top left of the page. */
interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Contrast of what is really drawn in each box: the ratio of its lightest to its darkest pixel (WCAG 2.2, 1.4.3). For
 * text over pictures and gradients, whose background no rule can read from the style sheet.
 */
export async function drawnContrast(page: Page, boxes: readonly Box[]): Promise<readonly number[]> {
  const picture = (await page.screenshot({ fullPage: true, animations: 'disabled', scale: 'css' })).toString(
    'base64',
  );
  const reader = await page.context().newPage();
  const ratios = await reader.evaluate(ratiosIn, { picture, boxes });
  await reader.close();
  return ratios;
}

/** Runs in a page: decodes the picture and compares pixels. */
async function ratiosIn({ picture, boxes }: { picture: string; boxes: readonly Box[] }): Promise<number[]> {
  const bytes = Uint8Array.from(atob(picture), (character) => character.charCodeAt(0));
  const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
  if (canvas === null) throw new Error('This browser cannot read a picture.');
  canvas.drawImage(bitmap, 0, 0);
  const linear = (channel: number): number => {
    const value = channel / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return boxes.map(({ x, y, width, height }) => {
    const { data } = canvas.getImageData(x, y, Math.max(1, width), Math.max(1, height));
    let darkest = 1;
    let lightest = 0;
    for (let at = 0; at + 2 < data.length; at += 4) {
      const [red = 0, green = 0, blue = 0] = data.subarray(at, at + 3);
      const luminance = 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
      darkest = Math.min(darkest, luminance);
      lightest = Math.max(lightest, luminance);
    }
    return (lightest + 0.05) / (darkest + 0.05);
  });
}
