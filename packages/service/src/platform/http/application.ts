import cors from '@fastify/cors';
import helmet from '@fastify/helmet';
import rateLimit from '@fastify/rate-limit';
import { fastify, type FastifyInstance, type onRequestHookHandler } from 'fastify';
import type { JSONWebKeySet } from 'jose';
import { createNetworkTest, isLoopback } from '../addresses.ts';
import type { Unavailable } from '../database/availability.ts';
import { callerGone, noSuchCall, serviceBusy, ServiceError } from '../errors.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { traceCalls } from '../metrics/traces.ts';
import type { Logger, ServiceSettings } from '../settings/options.ts';
import { registerContractRoutes, type ContractParts } from './contractRoutes.ts';
import { callOf, failureFrom, sendFailure } from './failures.ts';
import { registerForeignRoutes, type ForeignRoute } from './foreignRoutes.ts';
import { hostnameOf } from './hostnames.ts';
import { networkOf, trustIn } from './network.ts';
import type { Caller } from './operations.ts';
import { requestIdOf } from './requestId.ts';
import { describeFault } from './requestFaults.ts';
import { errorTexts } from '../errors.messages.ts';
import { acceptedLanguage } from '../texts/worded.ts';

/** Far above the bodies of the contract; larger ones are refused before they are read. */
const bodyLimitBytes = 64 * 1024;
/** The maximum length of an address in Node by default; shorter limits come from the contract. */
const maxParameterLength = 16 * 1024;
/** Characters of `User-Agent`; browsers send about half of it. */
const maxDeviceLength = 256;

/** Why a process should get no calls. */
export type Obstacle = 'stopping' | 'schema' | 'keys' | Unavailable;

interface ApplicationParts extends ContractParts {
  /** Routes outside the contract. */
  readonly routes: readonly ForeignRoute[];
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
  const { settings } = parts;
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
  followCallers(app, settings.logger);
  reportOutcomes(app, parts);
  await registerPlugins(app, settings);

  // After CORS, so that a page can read the response.
  app.addHook('onRequest', ({ routeOptions: { config } }, _reply, done) => {
    const isRefused = config.operationId !== undefined && parts.unavailable() !== null;
    done(isRefused ? serviceBusy() : undefined);
  });
  registerContractRoutes(app, parts);
  await registerForeignRoutes(app, parts);
  // Pages of any origin verify tokens with these.
  app.get('/.well-known/jwks.json', { config: { cors: false } }, (_request, reply) =>
    reply
      .headers({ 'Cache-Control': 'public, max-age=300', 'Access-Control-Allow-Origin': '*' })
      .send(parts.publicKeys()),
  );
  // For process managers, balancers and monitoring, which request them by the address of the process.
  const issuer = new URL(settings.issuer).hostname;
  const preHandler: onRequestHookHandler = ({ raw }, _reply, done) => {
    done(hostnameOf(raw.headers.host) === issuer && !isLoopback(issuer) ? noSuchCall() : undefined);
  };
  const health = { preHandler, config: { isHealth: true } };
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

function reportOutcomes(app: FastifyInstance, { settings, timeRequest }: ApplicationParts): void {
  const { logger } = settings;
  app.addHook('onRequest', (_request, reply, done) => {
    reply.header('Cache-Control', 'no-store');
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const { operationId = 'none', isStream = false, isHealth = false } = request.routeOptions.config;
    // Health is requested every second.
    if (!isHealth || reply.statusCode !== 200)
      logger.info('call', {
        ...callOf(request),
        status: reply.statusCode,
        milliseconds: Math.round(reply.elapsedTime),
        network: request.caller.network,
      });
    if (!isStream) timeRequest(operationId, reply.statusCode, reply.elapsedTime / 1000);
    done();
  });
  app.setErrorHandler((error, request, reply) =>
    sendFailure(reply, failureFrom(error, logger, callOf(request))),
  );
  app.setNotFoundHandler((_request, reply) => sendFailure(reply, noSuchCall()));
}

async function registerPlugins(app: FastifyInstance, settings: ServiceSettings): Promise<void> {
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] },
    },
    frameguard: { action: 'deny' },
    crossOriginResourcePolicy: { policy: 'same-site' },
    hsts: settings.transportSecurity === undefined,
  });
  const { transportSecurity } = settings;
  if (transportSecurity !== undefined)
    app.addHook('onRequest', (_request, reply, done) => {
      reply.header('Strict-Transport-Security', transportSecurity);
      done();
    });
  // Registered before the rate limit, so that a page can read a 429 and its Retry-After.
  await app.register(cors, {
    origin: [...settings.allowedOrigins],
    methods: ['GET', 'POST'],
    allowedHeaders: ['Authorization', 'Content-Type'],
    exposedHeaders: ['Retry-After'],
    credentials: false,
    maxAge: 600,
  });
  if (settings.rateLimit === 'off') return;
  const isUnlimited = createNetworkTest(settings.rateLimit.unlimitedNetworks);
  await app.register(rateLimit, {
    max: settings.rateLimit.requestsPerMinute,
    timeWindow: 60_000,
    // The least recent counts beyond this number are dropped. It exceeds the networks of an attacker, who could
    // otherwise evade the limit.
    cache: 65_536,
    keyGenerator: ({ caller }) => caller.network,
    allowList: ({ ip }) => isUnlimited(ip),
    errorResponseBuilder: (_request, context) =>
      new ServiceError(
        429,
        'rate_limited',
        errorTexts.tooManyRequests,
        Math.max(1, Math.ceil(context.ttl / 1000)),
      ),
  });
  // The plugin limits routes only. `onRequest`, because a request without a route may also fail because of its body.
  const limit = app.rateLimit();
  app.addHook('onRequest', async function (request, reply) {
    if (request.is404) await limit.call(this, request, reply);
  });
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The language that the caller accepts; `undefined` if there is none, and where the deployment has only English. */
    readonly accepted: string | undefined;
    /** The language of messages to the caller. */
    readonly language: string;
    caller: Caller;
  }
}

/** Adds the caller to each request, and logs when a caller hangs up before the response was sent. */
function followCallers(app: FastifyInstance, logger: Logger): void {
  app.addHook('onRequest', (request, reply, done) => {
    const hangUp = new AbortController();
    const device =
      request.headers['user-agent']?.slice(0, maxDeviceLength).replace(/[^\x20-\x7e]/g, '?') ?? null;
    request.caller = {
      network: networkOf(request.ip),
      device,
      gone: hangUp.signal,
      arrived: performance.now(),
      ...(request.accepted === undefined ? {} : { language: request.accepted }),
    };
    reply.raw.once('close', () => {
      if (reply.raw.writableFinished) return;
      hangUp.abort(callerGone);
      logger.info('call aborted', {
        ...callOf(request),
        milliseconds: Math.round(reply.elapsedTime),
      });
    });
    done();
  });
}
