// @ts-check
const { createHash } = require('node:crypto');
const { mkdtempSync, readFileSync, rmSync } = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const HtmlWebpackPlugin = require('html-webpack-plugin');

/**
 * Puts the first step of `/login` into `index.html`: its HTML, drawn by the application without a browser, its styles, and
 * the inline script that shows it (`inlineLogin.ts`). What the policy has to allow for them is in `dist/inline-hashes.json`.
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
        const { html, script } = await this.build(compiler);
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
        return data;
      });
    });
  }

  /**
   * @param {import('webpack').Compiler} compiler
   * @returns {Promise<{ html: string, script: string }>}
   */
  async build({ webpack }) {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'vestibule-'));
    try {
      await run(
        webpack([
          this.configure({ prerender: './src/app/prerender.tsx' }, 'node', folder),
          this.configure({ inlineLogin: './src/inlineLogin.ts' }, 'web', folder),
        ]),
      );
      const { prerender } = require(path.join(folder, 'prerender.js'));
      return { html: prerender(), script: readFileSync(path.join(folder, 'inlineLogin.js'), 'utf8').trim() };
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

/** @param {string} text */
const hashOf = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

module.exports = { FirstStep };
