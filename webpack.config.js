// @ts-check
const { rmSync } = require('node:fs');
const path = require('node:path');
const zlib = require('node:zlib');
const {
  BannerPlugin,
  Compilation,
  ContextReplacementPlugin,
  IgnorePlugin,
  SourceMapDevToolPlugin,
  optimize,
} = require('webpack');
const HtmlWebpackPlugin = require('html-webpack-plugin');
const MiniCssExtractPlugin = require('mini-css-extract-plugin');
const CssMinimizerPlugin = require('css-minimizer-webpack-plugin');
const MinimizerPlugin = require('minimizer-webpack-plugin');
const CompressionPlugin = require('compression-webpack-plugin');
const { LicenseWebpackPlugin } = require('license-webpack-plugin');
const { Catalogues, dateLocales } = require('./scripts/build/catalogues.js');
const { compileMessages } = require('./scripts/build/compileMessages.js');
const { FirstStep } = require('./scripts/build/firstStep.js');

const src = path.resolve(__dirname, 'src');
const client = path.resolve(__dirname, 'packages/client/src');
const contract = path.resolve(__dirname, 'packages/contract/src');
const sourceMaps = path.resolve(__dirname, 'source-maps');

const resolve = {
  extensions: ['.ts', '.tsx', '.js'],
  alias: {
    '@app': path.join(src, 'app'),
    '@dev': path.join(src, 'dev'),
    '@features': path.join(src, 'features'),
    '@shared': path.join(src, 'shared'),
    '@vestibule/client': client,
    '@vestibule/contract': contract,
    // The exports of react-router lead to its development build only.
    'react-router$': path.resolve(__dirname, 'node_modules/react-router/dist/production/index.mjs'),
    'react-router/dom$': path.resolve(__dirname, 'node_modules/react-router/dist/production/dom-export.mjs'),
  },
};

const typescript = {
  test: /\.tsx?$/,
  include: [src, client, contract],
  loader: 'ts-loader',
  // Types are checked once, by `npm test`; here only translation, which halves the build.
  options: {
    transpileOnly: true,
    compilerOptions: { noEmit: false, allowImportingTsExtensions: false },
    getCustomTransformers: () => ({ before: [compileMessages] }),
  },
};

/** The same names in the page and in what is rendered at build time. @param {boolean} production */
const cssModules = (production) => ({
  auto: /\.module\.css$/,
  namedExport: false,
  exportLocalsConvention: /** @type {const} */ ('as-is'),
  localIdentName: production ? '[hash:base64:5]' : '[name]__[local]',
});

// 0.6 kB (brotli) less on `/login` than terser's.
const minimizer = new MinimizerPlugin({
  minify: MinimizerPlugin.swcMinify,
  // `licenses.txt` has them all.
  extractComments: false,
  minimizerOptions: { compress: { passes: 5 } },
});

/**
 * What `scripts/build/firstStep.js` builds beside the application: the renderer of the first step, for Node.js, and the page's
 * inline script.
 *
 * @param {Record<string, string>} entry
 * @param {'node' | 'web'} target
 * @param {string} folder
 * @returns {import('webpack').Configuration}
 */
const besideTheApplication = (entry, target, folder) => ({
  mode: 'production',
  context: __dirname,
  entry,
  target: target === 'node' ? 'node' : 'browserslist',
  output: {
    path: folder,
    filename: '[name].js',
    ...(target === 'node' ? { library: { type: 'commonjs2' } } : {}),
  },
  resolve,
  module: {
    rules: [
      typescript,
      {
        test: /\.css$/,
        loader: 'css-loader',
        options: { modules: { ...cssModules(true), exportOnlyLocals: true } },
      },
    ],
  },
  plugins: target === 'node' ? [new optimize.LimitChunkCountPlugin({ maxChunks: 1 })] : [],
  optimization: { minimize: target === 'web', minimizer: [minimizer] },
  performance: { hints: false },
});

/**
 * One build for every environment: the configuration block of `public/index.html` is data that the deployment
 * fills in (docs/decisions.md).
 *
 * @param {Record<string, unknown>} _env
 * @param {{ mode?: 'production' | 'development' }} argv
 * @returns {import('webpack').Configuration}
 */
module.exports = (_env, argv) => {
  const production = argv.mode === 'production';
  return {
    mode: production ? 'production' : 'development',
    // `source-map`, never `eval`: the page runs under `script-src 'self'` in development too.
    devtool: production ? false : 'source-map',
    entry: './src/index.ts',
    output: {
      path: path.resolve(__dirname, 'dist'),
      publicPath: '/',
      filename: production ? 'assets/[name].[contenthash:8].js' : 'assets/[name].js',
      chunkFilename: production ? 'assets/[name].[contenthash:8].js' : 'assets/[name].js',
      assetModuleFilename: 'assets/[name].[contenthash:10][ext]',
      // A hanging chunk is given up like a hanging call, not after webpack's two minutes.
      chunkLoadTimeout: 15_000,
      trustedTypes: { policyName: 'webpack' },
      clean: true,
      // A build that changes nothing is new all the same: `isBuildStale` compares times.
      compareBeforeEmit: false,
    },
    target: 'browserslist',
    resolve,
    module: {
      rules: [
        typescript,
        {
          test: /\.css$/,
          use: [
            // Extracted in development too: `style-src 'self'` forbids injected style elements.
            MiniCssExtractPlugin.loader,
            {
              loader: 'css-loader',
              options: { modules: cssModules(production) },
            },
          ],
        },
        { test: /\.svg$/, type: 'asset/resource' },
      ],
    },
    plugins: [
      new HtmlWebpackPlugin({
        template: './public/index.html',
        scriptLoading: 'defer',
        // The configuration block must survive to the letter.
        minify: production ? { collapseWhitespace: true, removeComments: true } : false,
      }),
      new Catalogues(),
      ...(production ? [new FirstStep(besideTheApplication)] : []),
      new MiniCssExtractPlugin({
        filename: production ? 'assets/[name].[contenthash:8].css' : 'assets/[name].css',
        chunkFilename: production ? 'assets/[name].[contenthash:8].css' : 'assets/[name].css',
      }),
      // moment brings every locale along otherwise: 60 kB brotli instead of 17.
      new IgnorePlugin({ resourceRegExp: /^\.\/locale$/, contextRegExp: /moment$/ }),
      new ContextReplacementPlugin(/moment[/\\]locale$/, dateLocales()),
      ...(production
        ? [
            // Chromium then compiles each file while it arrives, and not piece by piece as it runs: a third of the main
            // thread's time. Set after minification, which removes comments.
            new BannerPlugin({
              banner: '//# allFunctionsCalledOnLoad',
              raw: true,
              test: /\.js$/,
              stage: Compilation.PROCESS_ASSETS_STAGE_OPTIMIZE_SIZE + 1,
            }),
            // Beside `dist` and not named in its files: whatever is in `dist` is served.
            new SourceMapDevToolPlugin({ filename: '../source-maps/[file].map', append: false }),
            new RemoveFormerMaps(),
            // What the libraries' licences ask for; the page does not load it.
            new LicenseWebpackPlugin({
              perChunkOutput: false,
              outputFilename: 'licenses.txt',
              // A folder with an entry of its own, whose licence is that of the package around it, and our own packages.
              excludedPackageTest: (name) => name.endsWith('/effects') || name.startsWith('@vestibule/'),
            }),
            new CompressionPlugin({ test: /\.(js|css|html|json|svg)$/, algorithm: 'gzip', minRatio: 1 }),
            new CompressionPlugin({
              test: /\.(js|css|html|json|svg)$/,
              filename: '[path][base].br',
              algorithm: 'brotliCompress',
              compressionOptions: { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 11 } },
              minRatio: 1,
            }),
          ]
        : []),
    ],
    optimization: production
      ? {
          minimizer: [minimizer, new CssMinimizerPlugin()],
          splitChunks: { chunks: 'async' },
          // Short names and ids: 1.3 kB (brotli) less on `/login` than those that webpack chooses.
          mangleExports: 'size',
          moduleIds: 'size',
          chunkIds: 'size',
        }
      : {},
    performance: { hints: false },
    stats: 'errors-warnings',
  };
};

/** `output.clean` cleans `dist` alone. */
class RemoveFormerMaps {
  /** @param {import('webpack').Compiler} compiler */
  apply(compiler) {
    compiler.hooks.beforeRun.tap('RemoveFormerMaps', () => {
      rmSync(sourceMaps, { recursive: true, force: true });
    });
  }
}
