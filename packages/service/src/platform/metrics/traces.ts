import { setTimeout as pause } from 'node:timers/promises';
import { context, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, type Attributes } from '@opentelemetry/api';
import type { FastifyInstance } from 'fastify';
import type { LogEvent } from 'kysely';
import { version } from '../../version.ts';
import type { Logger, TracesOptions } from '../settings/options.ts';

/** Time limit of the last export at shutdown. */
const lastExportMilliseconds = 3_000;

let isTraced = false;

/**
 * Enables traces for services that this process creates afterwards. The SDK is loaded here, so that it costs nothing
 * without traces.
 *
 * @returns exports the remaining spans and disables traces.
 */
export async function startTraces(
  { endpoint, headers, ratio, serviceName }: TracesOptions,
  logger: Logger,
): Promise<() => Promise<void>> {
  const [{ BatchSpanProcessor, TraceIdRatioBasedSampler, TracerProvider }, otlp, hooks, resources] =
    await Promise.all([
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/context-async-hooks'),
      import('@opentelemetry/resources'),
    ]);
  const exporter = new otlp.OTLPTraceExporter({
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    headers: { ...headers },
    timeoutMillis: 5_000,
  });
  const provider = new TracerProvider({
    sampler: new TraceIdRatioBasedSampler(ratio),
    resource: resources.defaultResource().merge(
      resources.resourceFromAttributes({
        'service.name': serviceName,
        'service.version': version,
      }),
    ),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: {
          shutdown: () => exporter.shutdown(),
          forceFlush: () => exporter.forceFlush(),
          export: (spans, done) => {
            exporter.export(spans, (result) => {
              // The error is left out, because it may quote the address and its headers.
              if (result.error) logger.warn('traces not delivered', { spans: spans.length });
              done(result);
            });
          },
        },
      }),
    ],
  });
  const contexts = new hooks.AsyncLocalStorageContextManager().enable();
  context.setGlobalContextManager(contexts);
  trace.setGlobalTracerProvider(provider);
  isTraced = true;
  return async () => {
    isTraced = false;
    const ended = provider.shutdown().catch(() => undefined);
    await Promise.race([ended, pause(lastExportMilliseconds, undefined, { ref: false })]);
    trace.disable();
    context.disable();
  };
}

const tracer = () => trace.getTracer('vestibule-service', version);

/**
 * Runs work in a span of the current trace. Of an error only its class is recorded: its message may contain secrets.
 *
 * @param attributes from bounded sets, never a caller's text.
 */
export async function traced<Result>(
  name: string,
  attributes: Attributes,
  work: () => Promise<Result>,
): Promise<Result> {
  if (!isTraced) return work();
  return tracer().startActiveSpan(name, { attributes, kind: SpanKind.CLIENT }, async (span) => {
    try {
      return await work();
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', kindOf(error));
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Starts work outside the current trace, because it may outlive the current call. */
export function untraced<Result>(work: () => Result): Result {
  return context.with(ROOT_CONTEXT, work);
}

/**
 * The log option of Kysely that records a span for each statement; empty without traces. A statement's text does not
 * contain its values.
 */
export function statementLog(): { readonly log?: (event: LogEvent) => void } {
  if (!isTraced) return {};
  return {
    log: (event) => {
      // A span is made only within a call or a message, because periodic work would create traces of one span.
      if (trace.getActiveSpan() === undefined) return;
      const startTime = Date.now() - event.queryDurationMillis;
      const attributes = { 'db.system.name': 'postgresql', 'db.query.text': event.query.sql };
      const span = tracer().startSpan('postgresql', { startTime, attributes, kind: SpanKind.CLIENT });
      if (event.level === 'error')
        span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', kindOf(event.error));
      span.end();
    },
  };
}

/**
 * Records a trace for each call of the contract. A caller's trace is not continued, because anyone could add spans to
 * it. The address is not recorded: it contains usernames and links.
 */
export function traceCalls(app: FastifyInstance): void {
  if (!isTraced) return;
  const contexts = new WeakMap<object, ReturnType<typeof context.active>>();
  app.addHook('onRequest', (request, reply, done) => {
    const { config, url: route = '' } = request.routeOptions;
    if (config.operationId === undefined) {
      done();
      return;
    }
    const attributes = { 'http.request.method': request.method, 'http.route': route };
    const span = tracer().startSpan(config.operationId, { kind: SpanKind.SERVER, attributes }, ROOT_CONTEXT);
    reply.raw.once('close', () => {
      if (reply.raw.headersSent) span.setAttribute('http.response.status_code', reply.statusCode);
      else span.setAttribute('error.type', 'aborted');
      if (reply.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    });
    const own = trace.setSpan(ROOT_CONTEXT, span);
    contexts.set(request, own);
    context.with(own, done);
  });
  // The body is parsed in another asynchronous context.
  app.addHook('preHandler', (request, _reply, done) => {
    context.with(contexts.get(request) ?? context.active(), done);
  });
}

function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return 'code' in error && typeof error.code === 'string' ? error.code : error.constructor.name;
}
