/** @jest-environment node */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const src = path.resolve(__dirname, '../../../src');
const read = (file: string): string => readFileSync(path.join(src, file), 'utf8');

it('replays the events of every slice', () => {
  const slices = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/^app\/(?:lab|devtools)\//.test(file))
    .filter((file) => /^(?:export )?const .*\bcreate(?:Slice|Action)[(<]/m.test(read(file)))
    .map((file) => `@${file.replace(/\.ts$/, '')}`);
  const imported = [...read('app/lab/readRecording.ts').matchAll(/^import \* as \w+ from '(.+)';$/gm)];
  expect(imported.map(([, module]) => module)).toEqual(expect.arrayContaining(slices));
  expect(slices.length).toBeGreaterThan(15);
});
