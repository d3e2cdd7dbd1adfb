import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { negotiate } from '@fastify/accept-negotiator';
import fastifyStatic from '@fastify/static';
import type { AppConfig } from '@vestibule/contract/appConfig';
import { expireCookiesPath, expiredCookies } from '@vestibule/contract/expiredCookies';
import { filePath, fillPage, type BuiltLanguages, type FilledPage } from '@vestibule/contract/page';
import { allowInline, appHeaders, type AppHeaderFacts } from '@vestibule/contract/pageHeaders';
import {
  fastify,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { isDatabaseAway } from '../platform/database/retry.ts';
import { networkOf, trustIn } from '../platform/http/network.ts';
import { requestIdOf } from '../platform/http/requestId.ts';
import { silentLogger, type Logger } from '../platform/settings/options.ts';
import { extensionFiles } from '../slots.ts';
import { hostnameOf, hostnames } from '../platform/http/hostnames.ts';
import { noThemes, type Themes } from '../platform/themes/themeFiles.ts';
import { fileHeaders, hashedFileIn, isSent } from './builtFiles.ts';
import { changePassword, headerFacts, noStore } from './headerFacts.ts';
import type { KeptFiles } from './keptFiles.ts';
import { loggedPath } from './loggedPath.ts';
import { sendKeptFile } from './sendKeptFile.ts';

/** The page's files, and the page itself with its configuration. */
export interface PageSource {
  /** Registers a route that sends files, and calls `reply.callNotFound()` for any other path. */
  readonly registerFiles: (app: FastifyInstance) => Promise<void>;
  /** @returns `null` if there is no build. */
  readonly readPage: () => Promise<FilledPage | null>;
}

interface PageHostOptions {
  readonly config: AppConfig;
  readonly source: PageSource;
  /** Logos and fonts of the themes; default: none. */
  readonly themes?: Themes;
  /** The hashed files of other releases; default: none. */
  readonly keptFiles?: Pick<KeptFiles, 'find'>;
  /** Headers that the configuration does not determine. @param host as received */
  readonly facts?: (host: string) => Partial<AppHeaderFacts>;
  readonly logger?: Logger;
  readonly trustedProxies?: readonly string[];
}

const likeFile = new RegExp(filePath, 'i');

/**
 * The hosts of the page (docs/behaviour.md#headers-of-the-host): its files, 404 for missing files, and the page for every other
 * path. Every response has the headers of its path.
 */
export async function createPageHost({
  config,
  source,
  themes = noThemes,
  keptFiles = { find: () => Promise.resolve(null) },
  facts = () => ({}),
  logger = silentLogger,
  trustedProxies = [],
}: PageHostOptions): Promise<FastifyInstance> {
  const shortLinkHosts = hostnames(config.shortLinkHosts);
  const ofConfig = headerFacts(config);
  const headersOf = ({ url, headers: { host = '' } }: FastifyRequest['raw']) => {
    const { pathname, search } = urlOf(url);
    const shortLinkHost = shortLinkHosts.has(hostnameOf(host));
    const given = { path: pathname, hasQuery: search !== '', shortLinkHost };
    return appHeaders({ ...ofConfig, ...facts(host), ...given });
  };
  const app = fastify({
    logger: false,
    genReqId: requestIdOf,
    trustProxy: trustIn(trustedProxies),
    // A path that is no valid URL gets the page, which shows that there is no such screen.
    frameworkErrors: (_error, request, reply) => {
      reply.headers(headersOf(request.raw));
      void answerOthers(request, reply);
    },
  });
  const answerOthers = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { pathname } = urlOf(request.raw.url);
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return sendText(reply.header('Allow', 'GET, HEAD'), 405, 'Only GET and HEAD.');
    const name = hashedFileIn(pathname);
    const kept = name === null ? null : await keptFiles.find(name);
    if (kept !== null) return sendKeptFile(request, reply, pathname, kept);
    if (isMissingFile(request, pathname)) return sendText(reply, 404, 'Not found.');
    const page = await source.readPage();
    if (page === null) return sendText(reply, 503, 'There is no build yet: npm run build');
    return sendPage(request, reply, page, headersOf(request.raw));
  };
  // A body is not read.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => {
    done(null);
  });
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headersOf(request.raw));
    logResponse(request, reply, shortLinkHosts, logger);
    done();
  });
  app.addHook('onSend', (_request, reply, payload, done) => {
    // The file would stay open if the client has already reset the stream of HTTP/2.
    if (payload instanceof Readable && isGone(reply.raw)) payload.destroy();
    done(null, payload);
  });
  app.setErrorHandler((error, request, reply) => {
    if (isDatabaseAway(error))
      return sendText(reply.header('Retry-After', '5'), 503, 'Try again in a moment.');
    const { statusCode = 500 } = error as Partial<FastifyError>;
    if (statusCode >= 400 && statusCode < 500) return sendText(reply, statusCode, 'Bad request.');
    logger.error('page failed', {
      id: request.id,
      reason: error instanceof Error ? error.message : 'unknown',
    });
    return sendText(reply, 500, 'Something went wrong on our side.');
  });
  app.setNotFoundHandler(answerOthers);
  app.all(expireCookiesPath, (request, reply) => {
    if (request.method !== 'POST' || !isOwnPage(request))
      return sendText(reply, 403, 'Only for the page of this host.');
    const cookies = [...expiredCookies(config.cookies, { secure: ofConfig.https })];
    return reply
      .status(204)
      .headers({ ...noStore, 'Set-Cookie': cookies })
      .send();
  });
  const [wellKnown, screen] = changePassword;
  app.get(wellKnown, (_request, reply) => reply.headers(noStore).redirect(screen, 302));
  registerConfiguredFiles(app, config, themes);
  await source.registerFiles(app);
  await app.ready();
  return app;
}

/** The files of extensions and themes. */
function registerConfiguredFiles(app: FastifyInstance, config: AppConfig, { files }: Themes): void {
  for (const { path: file, json } of extensionFiles(config))
    app.get(file, (_request, reply) =>
      reply.header('Cache-Control', 'no-cache').type('application/json; charset=utf-8').send(json),
    );
  for (const [file, { type, content }] of Object.entries(files))
    app.get(file, (_request, reply) => reply.headers(fileHeaders(file)).type(type).send(content));
}

function isGone(
  response: FastifyReply['raw'] & { readonly stream?: { readonly destroyed: boolean } },
): boolean {
  return response.destroyed || response.stream?.destroyed === true;
}

/** Logs a response by what may be logged of its request. */
function logResponse(
  request: FastifyRequest,
  reply: FastifyReply,
  shortLinkHosts: ReadonlySet<string>,
  logger: Logger,
): void {
  const begun = performance.now();
  const isShortLink = shortLinkHosts.has(hostnameOf(request.raw.headers.host));
  // A stream of HTTP/2 that has ended no longer knows the address.
  const network = networkOf(request.ip);
  reply.raw.once('finish', () => {
    logger.info('page', {
      id: request.id,
      request: `${request.method} ${loggedPath(request.raw.url, isShortLink)}`,
      status: reply.statusCode,
      milliseconds: Math.round(performance.now() - begun),
      network,
    });
  });
}

/**
 * The production build in a folder.
 *
 * @throws Error if the build lacks a configured language.
 */
export function builtPage(
  build: string,
  config: AppConfig,
  { themes = noThemes }: { readonly themes?: Themes } = {},
): PageSource {
  const page = pageOf(build, config, themes);
  return {
    readPage: () => Promise.resolve(page),
    registerFiles: async (app) => {
      if (page === null) return;
      await app.register(fastifyStatic, {
        root: build,
        index: false,
        preCompressed: true,
        cacheControl: false,
        dotfiles: 'ignore',
        allowedPath: isSent,
        setHeaders: (response: { setHeader: (name: string, value: string) => void }, file: string) => {
          for (const [name, value] of Object.entries(fileHeaders(file.replace(/\.(?:br|gz)$/, ''))))
            response.setHeader(name, value);
        },
      });
    },
  };
}

/** The page of a build with its configuration; `null` without a build. @throws Error if the build lacks a configured language. */
export function pageOf(build: string, config: AppConfig, { addresses }: Themes): FilledPage | null {
  const [index = '', languages = ''] = ['index.html', 'languages.json'].map((name) => path.join(build, name));
  if (!existsSync(index)) return null;
  const built = existsSync(languages)
    ? (JSON.parse(readFileSync(languages, 'utf8')) as BuiltLanguages)
    : null;
  return fillPage(readFileSync(index, 'utf8'), config, built, addresses);
}

/** Path and query of a request. The target is appended, not resolved, so that `//host/path` stays a path of this host. */
function urlOf(target = '/'): URL {
  return URL.parse(`http://host${target.startsWith('/') ? target : '/'}`) ?? new URL('http://host/');
}

function sendText(reply: FastifyReply, status: number, text: string): FastifyReply {
  return reply.status(status).headers(noStore).type('text/plain; charset=utf-8').send(`${text}\n`);
}

/** The page is never stored, because it names the hashed files of one build. */
function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  page: FilledPage,
  headers: Readonly<Record<string, string>>,
): FastifyReply {
  const coding = negotiate(request.headers['accept-encoding'] ?? '', ['br', 'gzip']);
  if (coding !== null) reply.header('Content-Encoding', coding);
  return reply
    .status(200)
    .headers({ ...allowInline(headers, page.inline), ...noStore, Vary: 'Accept-Encoding' })
    .type('text/html; charset=utf-8')
    .send(page[coding ?? 'identity']);
}

/**
 * An asset that is gone never gets the page as its response, so that a page of an older build notices it. The link of a navigation
 * may look like the path of a file.
 */
function isMissingFile(request: FastifyRequest, pathname: string): boolean {
  return pathname.startsWith('/assets/') || (likeFile.test(pathname) && !isNavigation(request));
}

/** Browsers send `Sec-Fetch-Mode`; older ones and tools accept HTML. */
function isNavigation({ headers }: FastifyRequest): boolean {
  const mode = headers['sec-fetch-mode'];
  return mode === undefined ? (headers.accept ?? '').includes('text/html') : mode === 'navigate';
}

/** Otherwise a link on any site could sign users out. Safari before 16.4 sends only `Origin`. */
function isOwnPage({ headers, raw }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  return headers.origin !== undefined && URL.parse(headers.origin)?.host === raw.headers.host;
}
