import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { PNG } from 'pngjs';

/** Whether the pictures of the documents are made again: `UPDATE_DOCS=1 npx playwright test laboratory time-travel`. */
export const updatesPictures = process.env['UPDATE_DOCS'] === '1';

/** Writes a picture of the documents: screenshots of one height, side by side, without transparency. */
export function savePicture(name: string, ...screenshots: readonly Buffer[]): void {
  const shots = screenshots.map((screenshot) => PNG.sync.read(screenshot));
  const width = shots.reduce((sum, shot) => sum + shot.width, 0);
  const picture = new PNG({ width, height: shots[0]?.height ?? 0 });
  let left = 0;
  for (const shot of shots) {
    PNG.bitblt(shot, picture, 0, 0, shot.width, picture.height, left, 0);
    left += shot.width;
  }
  // Soft gradients in fewer steps, at half the size.
  for (const [at, value] of picture.data.entries())
    picture.data[at] = at % 4 === 3 ? 255 : Math.min(255, Math.round(value / 6) * 6);
  const file = path.resolve(__dirname, '../../../docs/pictures', name);
  writeFileSync(file, PNG.sync.write(picture, { colorType: 2, deflateLevel: 9 }));
}
