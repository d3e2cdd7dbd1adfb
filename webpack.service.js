// @ts-check
const path = require('node:path');
const { IgnorePlugin } = require('webpack');

const src = path.resolve(__dirname, 'src');
const contract = path.resolve(__dirname, 'contract');

/**
 * The service for production: one file that plain Node.js runs, beside the libraries of `dependencies`.
 *
 * @type {import('webpack').Configuration}
 */
module.exports = {
  mode: 'production',
  context: __dirname,
  entry: { vestibule: './deploy/vestibule.ts' },
  target: 'node20',
  experiments: { outputModule: true },
  output: {
    path: path.resolve(__dirname, 'dist-service'),
    filename: '[name].mjs',
    chunkFilename: '[name].mjs',
    assetModuleFilename: '[name][ext]',
    module: true,
    chunkFormat: 'module',
    library: { type: 'module' },
    clean: true,
  },
  // Libraries are installed, not copied: `npm audit` and the bill of materials see what runs.
  externals: [
    ({ request = '' }, decide) => {
      const isOurs = /^(?:[./]|@(?:shared|contract)\/)/.test(request);
      decide(undefined, isOurs ? undefined : `module ${request}`);
    },
  ],
  resolve: {
    extensions: ['.ts', '.mjs', '.js'],
    alias: { '@contract': contract, '@shared': path.join(src, 'shared') },
  },
  module: {
    rules: [
      {
        test: /\.ts$/,
        include: [path.resolve(__dirname, 'deploy'), path.resolve(__dirname, 'service'), src, contract],
        loader: 'ts-loader',
        // Types are checked once, by `npm test`.
        options: { transpileOnly: true, compilerOptions: { noEmit: false }, instance: 'service' },
      },
      { test: /\.conf$/, type: 'asset/resource' },
    ],
  },
  // The embedded database is for development; without it `connect.ts` asks for DATABASE_URL.
  plugins: [new IgnorePlugin({ resourceRegExp: /^\.\/embedded$/ })],
  // Readable stack traces: nobody downloads this file.
  optimization: { minimize: false },
  devtool: false,
  performance: { hints: false },
  stats: 'errors-warnings',
};
