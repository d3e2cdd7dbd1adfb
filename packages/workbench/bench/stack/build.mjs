// @ts-check
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const webpack = require('webpack');
const MinimizerPlugin = require('minimizer-webpack-plugin');
const folder = path.dirname(fileURLToPath(import.meta.url));

/**
 * The yardstick `y`: the mandated libraries with a trivial username form, pre-rendered. One file, minified as ours is.
 *
 * @returns {Promise<{ html: string, script: string }>}
 */
export async function buildStack() {
  const output = mkdtempSync(path.join(os.tmpdir(), 'vestibule-stack-'));
  try {
    await run([configure('server', 'node', output), configure('browser', 'web', output)]);
    const { render } = require(path.join(output, 'server.js'));
    const html =
      '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>y</title>' +
      '<meta name="viewport" content="width=device-width,initial-scale=1"><script defer src="/bench/stack.js"></script>' +
      `</head><body><div id="root">${render()}</div></body></html>`;
    return { html, script: readFileSync(path.join(output, 'browser.js'), 'utf8') };
  } finally {
    rmSync(output, { recursive: true, force: true });
  }
}

/**
 * @param {string} name
 * @param {'node' | 'web'} target
 * @param {string} output
 * @returns {import('webpack').Configuration}
 */
function configure(name, target, output) {
  return {
    mode: 'production',
    context: folder,
    entry: { [name]: `./${name}.jsx` },
    target: target === 'node' ? 'node' : ['web', 'es2022'],
    output: {
      path: output,
      filename: '[name].js',
      ...(target === 'node' ? { library: { type: 'commonjs2' } } : {}),
    },
    module: {
      rules: [
        {
          test: /\.jsx$/,
          loader: 'ts-loader',
          options: {
            transpileOnly: true,
            compilerOptions: { noEmit: false, allowImportingTsExtensions: false, allowJs: true },
          },
        },
      ],
    },
    optimization: {
      minimize: target === 'web',
      minimizer: [
        new MinimizerPlugin({
          minify: MinimizerPlugin.swcMinify,
          minimizerOptions: { compress: { passes: 3 } },
        }),
      ],
    },
    performance: { hints: false },
  };
}

/**
 * @param {import('webpack').Configuration[]} configurations
 * @returns {Promise<void>}
 */
function run(configurations) {
  return new Promise((resolve, reject) => {
    const compiler = webpack(configurations);
    compiler.run(
      (/** @type {Error | null} */ error, /** @type {import('webpack').MultiStats | undefined} */ stats) => {
        if (error) reject(error);
        else if (stats?.hasErrors()) reject(new Error(stats.toString('errors-only')));
        else compiler.close(() => resolve());
      },
    );
  });
}
