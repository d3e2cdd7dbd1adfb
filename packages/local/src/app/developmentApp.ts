import { createRequire } from 'node:module';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import webpack, { type Configuration } from 'webpack';
import WebpackDevServer from 'webpack-dev-server';
import { filePath, fillPage, type BuiltLanguages } from '@vestibule/contract/page';
import type { Themes } from '@vestibule/service/platform/themes/themeFiles';
import { readBody } from '../http/send.ts';
import { requestFrom } from '../http/httpProxy.ts';
import { requestUrl } from '../hosts.ts';
import type { EnvironmentConfig } from '../environmentConfig.ts';
import type { DevelopmentApp } from '../localEnvironment.ts';

type ConfigureWebpack = (env: Record<string, never>, argv: { mode: 'development' }) => Configuration;

function isConfigure(value: unknown): value is ConfigureWebpack {
  return typeof value === 'function';
}

/**
 * Starts webpack's development server on the project's own `webpack.config.js`. It listens on 127.0.0.1 only,
 * on a free port; browsers reach it through the environment, under the same headers as the production build.
 *
 * @throws Error when the configuration cannot be loaded or the server cannot start.
 */
export async function startDevelopmentApp(
  projectFolder: string,
  config: EnvironmentConfig,
  { addresses }: Themes,
): Promise<DevelopmentApp> {
  const load = createRequire(path.join(projectFolder, 'package.json'));
  const configure: unknown = load('./webpack.config.js');
  if (!isConfigure(configure)) throw new Error('webpack.config.js must export a function (env, argv).');
  const compiler = webpack({
    ...configure({}, { mode: 'development' }),
    context: projectFolder,
    // webpack would print its own port, which is not the address of the page.
    infrastructureLogging: { level: 'warn' },
  });
  const server = new WebpackDevServer(
    {
      host: '127.0.0.1',
      port: 0,
      hot: true,
      allowedHosts: ['.localhost', '127.0.0.1'],
      static: { directory: path.join(projectFolder, 'public'), watch: false },
      client: {
        // The page's own host and port: the environment passes the socket on.
        webSocketURL: 'auto://0.0.0.0:0/ws',
        logging: 'warn',
        overlay: { errors: true, warnings: false, runtimeErrors: false },
      },
      // The environment ends it, on one signal, after everything else has been closed.
      setupExitSignals: false,
    },
    compiler,
  );
  await server.start();
  const port = portOf(server);
  const read = async (file: string): Promise<string> => {
    const answered = await requestFrom(port, { path: file, headers: { host: 'localhost' } }, Buffer.alloc(0));
    return (await readBody(answered)).toString('utf8');
  };
  return {
    port,
    close: async () => {
      // Do not wait for a running build: it cannot be interrupted, and ends with the process.
      await Promise.race([server.stop(), wait(1000, undefined, { ref: false })]);
    },
    registerFiles: (app) => {
      app.get('/*', async ({ raw }, reply) => {
        if (!likeFile.test(requestUrl(raw).pathname)) {
          reply.callNotFound();
          return reply;
        }
        const answered = await requestFrom(
          port,
          { path: raw.url ?? '/', headers: raw.headers },
          Buffer.alloc(0),
        );
        if (answered.statusCode === 404) {
          answered.resume();
          reply.callNotFound();
          return reply;
        }
        const { connection: _one, 'keep-alive': _other, ...headers } = answered.headers;
        return reply
          .status(answered.statusCode ?? 502)
          .headers(headers)
          .send(answered);
      });
      return Promise.resolve();
    },
    readPage: async () => {
      const [page, languages] = await Promise.all(['/index.html', '/languages.json'].map(read));
      return fillPage(
        page ?? '',
        config,
        JSON.parse(languages ?? 'null') as BuiltLanguages | null,
        addresses,
      );
    },
  };
}

/** In development webpack serves all files: chunks, hot updates and the public folder. */
const likeFile = new RegExp(filePath, 'i');

function portOf(server: WebpackDevServer): number {
  const address = server.server?.address();
  if (typeof address !== 'object' || address === null) {
    throw new Error('The development server has no port.');
  }
  return address.port;
}
