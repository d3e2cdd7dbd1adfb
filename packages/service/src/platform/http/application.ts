import type { IncomingMessage, ServerResponse } from 'node:http';
import cors from '@fastify/cors';
import { fastify, type FastifyInstance, type onRequestHookHandler } from 'fastify';
import helmet from 'helmet';
import type { JSONWebKeySet } from 'jose';
import { isLoopback } from '../addresses.ts';
import type { Unavailable } from '../database/availability.ts';
import { noSuchCall, rateLimited, serviceBusy } from '../errors.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { traceCalls } from '../metrics/traces.ts';
import type { PlatformSettings } from '../settings/options.ts';
import { acceptedLanguage } from '../texts/texts.ts';
import { RequestCaller } from './caller.ts';
import { callOf, failureFrom, sendFailure } from './failures.ts';
import { hostnameOf } from './hostnames.ts';
import type { Limiter, Limits } from './limiter.ts';
import { trustIn } from './network.ts';
import { requestIdOf } from './requestId.ts';
import { describeFault } from './requestFaults.ts';

/** Far above the bodies of the contract; larger ones are refused before they are read. */
const bodyLimitBytes = 64 * 1024;
/** The maximum length of an address in Node by default; shorter limits come from the contract. */
const maxParameterLength = 16 * 1024;

/** Why a process should get no calls. */
export type Obstacle = 'stopping' | 'schema' | 'keys' | Unavailable;

interface ApplicationParts {
  readonly settings: PlatformSettings;
  readonly limits: Limits<'requestsPerMinute'>;
  /** Registers the routes of the service. */
  readonly registerRoutes: (app: FastifyInstance) => Promise<void>;
  readonly publicKeys: () => JSONWebKeySet;
  readonly timeRequest: Metrics['timeRequest'];
  /** Resolves if the database responds. */
  readonly ping: () => Promise<void>;
  /** Why this process should get no calls; `null` if it should. */
  readonly obstacle: () => Promise<Obstacle | null>;
  /** Why calls would fail; `null` if nothing is known. */
  readonly unavailable: () => Unavailable | null;
}

/** The HTTP application of the service, ready for requests. */
export async function createApplication(parts: ApplicationParts): Promise<FastifyInstance> {
  const { settings, limits } = parts;
  const app = fastify({
    logger: false,
    genReqId: requestIdOf,
    bodyLimit: bodyLimitBytes,
    routerOptions: { maxParamLength: maxParameterLength },
    trustProxy: trustIn(settings.trustedProxies),
    // Values are neither converted nor removed: the contract is applied to the request as sent.
    ajv: {
      customOptions: {
        coerceTypes: false,
        removeAdditional: false,
        useDefaults: false,
        allowUnionTypes: true,
        // Adds the branches of a `oneOf`, for `describeFault`.
        verbose: true,
      },
    },
    schemaErrorFormatter: (errors, dataVar) => new Error(describeFault(errors, dataVar)),
    frameworkErrors: (error, request, reply) =>
      void sendFailure(reply, failureFrom(error, settings.logger, { id: request.id, call: request.method })),
  });
  acceptJsonOnly(app);
  const { languages } = settings;
  const isTranslated = languages.some((one) => one !== 'en');
  app.decorateRequest('accepted', {
    getter() {
      return isTranslated ? acceptedLanguage(this.headers['accept-language'], languages) : undefined;
    },
  });
  app.decorateRequest('language', {
    getter() {
      return this.accepted ?? languages[0] ?? 'en';
    },
  });
  traceCalls(app);
  followCalls(app, parts);
  // Registered before the rate limit, so that a page can read a 429 and its Retry-After.
  await app.register(cors, {
    origin: [...settings.allowedOrigins],
    methods: ['GET', 'POST'],
    allowedHeaders: ['Authorization', 'Content-Type'],
    exposedHeaders: ['Retry-After'],
    credentials: false,
    maxAge: 600,
  });
  const general = limits.limiter('requestsPerMinute');
  // Also of requests without a route, before they may fail because of their body.
  app.addHook('onRequest', (request, _reply, done) => {
    const { limiter = general } = request.routeOptions.config;
    const wait =
      limiter === null || limits.isUnlimited(request) ? null : limiter.count(request.caller.network);
    done(wait === null ? undefined : rateLimited(wait));
  });

  // After CORS, so that a page can read the response.
  app.addHook('onRequest', ({ routeOptions: { config } }, _reply, done) => {
    const isRefused = config.operationId !== undefined && parts.unavailable() !== null;
    done(isRefused ? serviceBusy() : undefined);
  });
  await parts.registerRoutes(app);
  // Pages of any origin verify tokens with these.
  app.get('/.well-known/jwks.json', { config: { cors: false } }, (_request, reply) =>
    reply
      .headers({ 'Cache-Control': 'public, max-age=300', 'Access-Control-Allow-Origin': '*' })
      .send(parts.publicKeys()),
  );
  // For process managers, balancers and monitoring, which request them by the address of the process.
  const issuer = new URL(settings.issuer).hostname;
  const preHandler: onRequestHookHandler = ({ raw }, _reply, done) => {
    done(hostnameOf(raw.headers.host) === issuer ? noSuchCall() : undefined);
  };
  const health = { ...(isLoopback(issuer) ? {} : { preHandler }), config: { isHealth: true } };
  app.get('/health', health, async () => {
    await parts.ping();
    return { status: 'ok' };
  });
  app.get('/live', health, () => Promise.resolve({ status: 'ok' }));
  app.get('/ready', health, async (_request, reply) => {
    const obstacle = await parts.obstacle();
    return obstacle === null ? { status: 'ok' } : reply.status(503).send({ status: obstacle });
  });
  await app.ready();
  return app;
}

/** Fastify accepts text/plain by default, which would reach a handler without validation. */
function acceptJsonOnly(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, parseJson);
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Counts the calls of the route by network, instead of that of all calls; `null`: the route counts them itself. */
    limiter?: Limiter | null;
  }
  interface FastifyRequest {
    /** The language of messages to the caller. */
    readonly language: string;
    caller: RequestCaller;
  }
}

/** Adds the caller to each request and the headers to each response, and reports how each call ended. */
function followCalls(app: FastifyInstance, { settings, timeRequest }: ApplicationParts): void {
  const { logger } = settings;
  const headers = constantHeaders(settings);
  app.addHook('onRequest', (request, reply, done) => {
    const { raw } = reply.headers(headers);
    const caller = new RequestCaller(request);
    request.caller = caller;
    // Instead of the hook `onResponse`, which does not see the end of a call whose caller has hung up.
    raw.on('close', () => {
      const milliseconds = performance.now() - caller.arrived;
      const reported = { milliseconds: Math.round(milliseconds) };
      if (!raw.writableFinished) {
        caller.hangUp();
        logger.info('call aborted', { ...callOf(request), ...reported });
        return;
      }
      const { operationId = 'none', isStream = false, isHealth = false } = request.routeOptions.config;
      const status = raw.statusCode;
      // Health is requested every second.
      if (!isHealth || status !== 200)
        logger.info('call', { ...callOf(request), status, ...reported, network: caller.network });
      if (!isStream) timeRequest(operationId, status, milliseconds / 1000);
    });
    done();
  });
  app.setErrorHandler((error, request, reply) =>
    sendFailure(reply, failureFrom(error, logger, callOf(request))),
  );
  app.setNotFoundHandler((_request, reply) => sendFailure(reply, noSuchCall()));
}

/** The headers of every response, unless a route sets others. */
function constantHeaders({
  transportSecurity,
}: Pick<PlatformSettings, 'transportSecurity'>): Readonly<Record<string, string>> {
  const headers: Record<string, string> = { 'cache-control': 'no-store' };
  const set = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] },
    },
    frameguard: { action: 'deny' },
    crossOriginResourcePolicy: { policy: 'same-site' },
    hsts: transportSecurity === undefined,
  });
  const response = {
    setHeader: (name: string, value: string) => {
      headers[name.toLowerCase()] = value;
    },
    removeHeader: () => undefined,
  };
  const request: unknown = {};
  set(request as IncomingMessage, response as unknown as ServerResponse, () => undefined);
  return transportSecurity === undefined
    ? headers
    : { ...headers, 'strict-transport-security': transportSecurity };
}
