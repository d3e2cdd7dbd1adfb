import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { readThemes, type Themes } from '@vestibule/service/platform/themes/themeFiles';
import type { EnvironmentConfig } from './environmentConfig.ts';

const require = createRequire(import.meta.url);

/** The files of the themes. The configuration does not name them, because their paths are those of this machine. */
export function localThemes({ brands }: EnvironmentConfig): Themes {
  const { northwind } = brands;
  if (northwind?.theme === undefined) return readThemes(brands, '.');
  const theme = {
    ...northwind.theme,
    logo: fileURLToPath(new URL('../src/pages/assets/northwind.svg', import.meta.url)),
    font: require.resolve('@fontsource/roboto-slab/files/roboto-slab-latin-400-normal.woff2'),
  };
  return readThemes({ ...brands, northwind: { ...northwind, theme } }, '.');
}
