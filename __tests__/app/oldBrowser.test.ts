/** @jest-environment node */
import { readFileSync } from 'node:fs';
import bcd, { type BrowserName, type Identifier } from '@mdn/browser-compat-data';
import { parse } from 'acorn';

const [, script = ''] = /<script>([^]*?)<\/script>/.exec(readFileSync('public/index.html', 'utf8')) ?? [];

it('the script that recognises an old browser can be parsed by one', () => {
  expect(script).toContain('catch');
  expect(() => parse(script, { ecmaVersion: 5 })).not.toThrow();
});

it('"browserslist" begins with the releases that the script accepts', () => {
  const { browserslist } = JSON.parse(readFileSync('package.json', 'utf8')) as { browserslist: string[] };
  const marks = { 'URL.canParse': bcd.api['URL'], 'AbortSignal.any': bcd.api['AbortSignal'] };
  const since = (name: BrowserName): number =>
    Math.max(
      ...Object.entries(marks).map(([mark, api]) => {
        expect(script).toContain(`${mark}(`);
        const feature: Identifier | undefined = api?.[`${mark.split('.')[1] ?? ''}_static`];
        const [support] = [feature?.__compat?.support[name]].flat();
        return Number(support?.version_added);
      }),
    );
  const names = {
    chrome: 'chrome',
    edge: 'edge',
    firefox: 'firefox',
    safari: 'safari',
    ios_saf: 'safari_ios',
  } as const;
  expect(browserslist).toEqual(
    Object.entries(names).map(([name, known]) => `${name} >= ${String(since(known))}`),
  );
});
