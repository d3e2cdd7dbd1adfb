import type { PNG } from 'pngjs';

/** Where something is drawn, in CSS pixels from the top left of the page. */
interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * The ratio of the lightest to the darkest pixel that is drawn in a box (WCAG 2.2, 1.4.3): for text over pictures and
 * gradients, whose background no rule can read from the style sheet.
 */
export function contrastIn(picture: PNG, { x, y, width, height }: Box): number {
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
