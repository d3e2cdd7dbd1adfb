// @ts-check
const { createHash } = require('node:crypto');
const { mkdtempSync, readFileSync, rmSync } = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const HtmlWebpackPlugin = require('html-webpack-plugin');
const { languagesIn, readCatalogue, folder: catalogues } = require('./catalogues.js');

/**
 * Puts the first step of `/login` into `index.html`: its HTML, drawn by the application without a browser, its styles, and
 * the inline script that shows it (`inlineEnglish.ts`, or `inlineLanguage.ts` of a page in several languages). What the policy has to allow for them is in `dist/inline-hashes.json`.
 */
class FirstStep {
  /** @param {(entry: Record<string, string>, target: 'node' | 'web', folder: string) => import('webpack').Configuration} configure */
  constructor(configure) {
    this.configure = configure;
  }

  /** @param {import('webpack').Compiler} compiler */
  apply(compiler) {
    const { sources } = compiler.webpack;
    compiler.hooks.thisCompilation.tap('FirstStep', (compilation) => {
      HtmlWebpackPlugin.getHooks(compilation).beforeEmit.tapPromise('FirstStep', async (data) => {
        const { html, script, language } = await this.build(compiler);
        const style = takeStyle(compilation);
        data.html = data.html
          .replace(/<link [^>]*rel="?stylesheet"?[^>]*>/, () => `<style>${style}</style>`)
          .replace(/(<div id="?root"? hidden(?:="")?>)(<\/div>)/, (_all, start, end) => start + html + end)
          .replace('</body>', () => `<script>${script}</script></body>`);
        for (const part of [html, style, script]) {
          if (!data.html.includes(part)) throw new Error('index.html has no place for the first step.');
        }
        const scripts = Array.from(data.html.matchAll(/<script>([^]*?)<\/script>/g), ([, text = '']) =>
          hashOf(text),
        );
        const hashes = { script: scripts.join(' '), style: hashOf(style) };
        compilation.emitAsset('inline-hashes.json', new sources.RawSource(JSON.stringify(hashes)));
        const english = textsIn(data.html);
        const written = JSON.parse(String(compilation.getAsset('languages.json')?.source.source()));
        for (const name of languagesIn(catalogues)) written.texts[name] = await translate(english, name);
        const filled = { ...written, script: language };
        compilation.updateAsset('languages.json', new sources.RawSource(JSON.stringify(filled)));
        return data;
      });
    });
  }

  /**
   * @param {import('webpack').Compiler} compiler
   * @returns {Promise<{ html: string, script: string, language: string }>}
   */
  async build({ webpack }) {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'vestibule-'));
    try {
      await run(
        webpack([
          this.configure({ prerender: './src/app/prerender.tsx' }, 'node', folder),
          this.configure(
            { inlineEnglish: './src/inlineEnglish.ts', inlineLanguage: './src/inlineLanguage.ts' },
            'web',
            folder,
          ),
        ]),
      );
      const { prerender } = require(path.join(folder, 'prerender.js'));
      const [script, language] = ['inlineEnglish', 'inlineLanguage'].map((name) =>
        readFileSync(path.join(folder, `${name}.js`), 'utf8').trim(),
      );
      return { html: prerender(), script: script ?? '', language: language ?? '' };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

/**
 * @param {import('webpack').MultiCompiler | null} compiler
 * @returns {Promise<void>}
 */
function run(compiler) {
  return new Promise((resolve, reject) => {
    compiler?.run((error, stats) => {
      if (error) reject(error);
      else if (stats?.hasErrors()) reject(new Error(stats.toString('errors-only')));
      else compiler.close(() => resolve());
    });
  });
}

/**
 * The style sheet of the first bundle, which is inlined and not emitted as a file.
 *
 * @param {import('webpack').Compilation} compilation
 */
function takeStyle(compilation) {
  const files = [...(compilation.entrypoints.get('main')?.getFiles() ?? [])];
  const [name, ...others] = files.filter((file) => file.endsWith('.css'));
  if (name === undefined || others.length > 0) throw new Error('The first bundle has not one style sheet.');
  const text = String(compilation.getAsset(name)?.source.source());
  compilation.deleteAsset(name);
  return text;
}

/**
 * The title and the texts of the first step, in their order. That of late files would be half of all bytes, and stays English.
 *
 * @param {string} html
 */
function textsIn(html) {
  const [title = ''] = html.match(/<title>.*?<\/title>/s) ?? [];
  const [main = ''] = html.match(/<main.*<\/main>/s) ?? [];
  const texts = `${title}${main}`.match(/(?<=>)[^<>]+(?=<)/g) ?? [];
  const first = `${title}${main}`.match(/(?<=<(?!\/)[^<>]*>)[^<>]+(?=<)/g) ?? [];
  if (texts.length !== first.length)
    throw new Error('`inlineLanguage.ts` needs each text to be the first in its element.');
  return texts;
}

/**
 * Translates the texts of the page. Texts without a translation stay English.
 *
 * @param {readonly string[]} english
 * @param {string} language
 */
async function translate(english, language) {
  const texts = [...(await readCatalogue(language))].filter(([id]) => id.startsWith('login/'));
  return english.map((text) => {
    const [, found] = texts.find(([, { message }]) => message === text) ?? [];
    const shown = found ? found.compiled.join('') : text;
    // `fillPage` separates the texts by it.
    if (shown.includes('|')) throw new Error(`'${shown}' must not contain '|'.`);
    return shown;
  });
}

/** @param {string} text */
const hashOf = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

module.exports = { FirstStep };
