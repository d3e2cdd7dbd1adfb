import { readdirSync } from 'node:fs';
import path from 'node:path';

const folder = '__tests__/features';

/** Loads every file of a name from the tests of the features, so that a table names no feature that can be deleted. */
export const partsOfFeatures = (name: string): readonly object[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => path.basename(file) === name)
    .sort()
    .map((file) => jest.requireActual<object>(path.resolve(folder, file)));
