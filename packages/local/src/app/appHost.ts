import type { IncomingMessage } from 'node:http';
import path from 'node:path';
import { expireCookiesPath } from '@vestibule/contract/expiredCookies';
import { filePath } from '@vestibule/contract/page';
import { appHeaders } from '@vestibule/contract/pageHeaders';
import type { extensionFiles } from '@vestibule/service';
import { sendText, redirect, type HostHandler } from '../http/send.ts';
import { originOf, requestUrl, roleOf } from '../hosts.ts';
import type { EnvironmentConfig } from '../environmentConfig.ts';
import { expireSessionCookies } from './expireCookies.ts';
import { pageReader, sendPage } from './page.ts';
import { findFile, sendFile } from './staticFiles.ts';

type Request = Parameters<HostHandler>;

/** Where the application's files come from. Every response carries the given headers. */
interface AppSource {
  /** Responds to a request for anything but the page; `false` when there is no such file. */
  readonly sendAsset: (...args: [...Request, headers: Headers]) => Promise<boolean>;
  /** Sends the page with its configuration. */
  readonly sendPage: (...args: [...Request, headers: Headers]) => Promise<void>;
}

/** The hot-reloading build, served on a separate port behind the environment. */
export interface DevelopmentApp extends AppSource {
  /** Port of the development server; its socket for hot reload is passed on to it. */
  readonly port: number;
  readonly close: () => Promise<void>;
}

type Headers = Readonly<Record<string, string>>;

/** Headers for one request to a host of the application. */
type HeadersFor = (request: IncomingMessage) => Headers;

/** The production build in `folder`, served as a static host would. */
export function builtApp(folder: string, config: EnvironmentConfig): AppSource {
  const readPage = pageReader(path.join(folder, 'index.html'), config);
  return {
    sendAsset: async (request, response, headers) => {
      const { pathname } = requestUrl(request);
      // The page gets its configuration, under each of its names.
      const file = pathname.toLowerCase() === '/index.html' ? null : await findFile(folder, pathname);
      if (file === null) return false;
      await sendFile(request, response, file, headers);
      return true;
    },
    sendPage: async (request, response, headers) => {
      const page = await readPage();
      if (page === null) sendText(response, 503, 'There is no build yet: npm run build', headers);
      else sendPage(request, response, page, headers);
    },
  };
}

/**
 * The headers of the environment's application hosts, from its configuration.
 *
 * @param options `hotReload` allows the development server's socket and policy; `anyParent` lets every page embed
 *   the application, so that tests reach the page's own check of its parent behind this one.
 */
export function environmentHeaders(
  config: EnvironmentConfig,
  port: number,
  { hotReload, anyParent }: { readonly hotReload: boolean; readonly anyParent: boolean },
): HeadersFor {
  return (request) => {
    const role = roleOf(request.headers.host) ?? 'app';
    const { pathname, search } = requestUrl(request);
    return appHeaders({
      path: pathname,
      hasQuery: search !== '',
      serviceOrigin: new URL(config.serviceUrl).origin,
      parentOrigins: anyParent ? ['*'] : config.parentOrigins,
      shortLinkHost: role === 'shortLinks',
      passkeys: config.extensions.includes('passkeys'),
      ...(config.reportsTo === undefined ? {} : { reportsTo: config.reportsTo }),
      ...(hotReload ? { hotReloadOrigin: originOf(role, port) } : {}),
    });
  };
}

/**
 * The host of the application: files, 404 for those that are missing, the page for every other path. A missing file under
 * `/assets/` never gets the page as its response, so that a page of an older build notices that its chunk is gone.
 *
 * @param extensions - the files of extensions. The caller has them from the service, which this module does not load.
 */
export function appHost(
  source: AppSource,
  headersFor: HeadersFor,
  { cookies }: EnvironmentConfig,
  extensions: ReturnType<typeof extensionFiles>,
): HostHandler {
  const files = new Map(extensions.map(({ path, json }) => [path, json]));
  return async (request, response) => {
    const headers = headersFor(request);
    const { pathname } = requestUrl(request);
    if (pathname === expireCookiesPath) {
      expireSessionCookies(request, response, cookies, headers);
    } else if (request.method !== 'GET' && request.method !== 'HEAD') {
      sendText(response, 405, 'Only GET and HEAD.', { ...headers, Allow: 'GET, HEAD' });
    } else if (pathname === '/.well-known/change-password') {
      redirect(response, '/reset-password-verify', headers);
    } else if (files.has(pathname)) {
      response
        .writeHead(200, {
          ...headers,
          'Cache-Control': 'no-cache',
          'Content-Type': 'application/json; charset=utf-8',
        })
        .end(files.get(pathname));
    } else if (await source.sendAsset(request, response, headers)) {
      return;
    } else if (isMissingFile(request, pathname)) {
      sendText(response, 404, 'Not found.', headers);
    } else {
      await source.sendPage(request, response, headers);
    }
  };
}

const likeFile = new RegExp(filePath, 'i');

/** The link of a navigation may look like the path of a file. */
function isMissingFile(request: IncomingMessage, pathname: string): boolean {
  return pathname.startsWith('/assets/') || (likeFile.test(pathname) && !isNavigation(request));
}

/** Browsers send `Sec-Fetch-Mode`; older ones and tools accept HTML. */
function isNavigation(request: IncomingMessage): boolean {
  const mode = request.headers['sec-fetch-mode'];
  return mode === undefined ? (request.headers.accept ?? '').includes('text/html') : mode === 'navigate';
}
