import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';
import { createContractChecker } from '@vestibule/contract/responseValidation';
import {
  operationsOf,
  readContract,
  schemaAt,
  type Operation,
  type RateLimit,
} from '@vestibule/contract/document';
import { retryWhileAway } from '../database/retry.ts';
import type { Bearer } from '../security/signedTokens.ts';
import type { Logger, RateLimitOptions } from '../settings/options.ts';
import { callOf, failureFrom, startFailure } from './failures.ts';
import type { Call, OperationId } from './operations.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The `operationId` of the contract; absent on routes outside the contract. */
    operationId?: string;
    /** The response is an event stream, which stays open. */
    isStream?: boolean;
    /** A bearer of setup mode may make the call; all others need a session: see docs/behaviour.md#setup-mode. */
    inSetupMode?: boolean;
  }
  interface FastifyRequest {
    bearer: Bearer | null;
  }
}

const limitOptions = {
  methods: 'methodCallsPerMinute',
  tokens: 'tokenCallsPerMinute',
  secrets: 'secretChecksPerMinute',
} as const;

/** Carries out a call of the contract. */
export type Handler = (call: Call<OperationId>) => Promise<unknown>;

interface ContractRoutesOptions {
  /** Without those of extensions that the service does not have. */
  readonly handlers: Readonly<Record<string, Handler>>;
  readonly extensions: readonly string[];
  readonly readBearer: (authorization: string | undefined) => Promise<Bearer>;
  readonly refuseSetupToken: () => Error;
  readonly rateLimit: RateLimitOptions | 'off';
  readonly logger: Logger;
}

/**
 * Registers a route for every call of `openapi.yaml` that the service offers: it checks the bearer, validates the body, runs the handler, and
 * validates the response. An invalid response is not sent.
 */
export function registerContractRoutes(app: FastifyInstance, options: ContractRoutesOptions): void {
  const document = readContract();
  app.decorateRequest('bearer', null);
  checkResponses(app, options.logger);

  const authenticate = async (request: FastifyRequest): Promise<void> => {
    const bearer = await options.readBearer(request.headers.authorization);
    if (bearer.kind === 'setup' && request.routeOptions.config.inSetupMode !== true)
      throw options.refuseSetupToken();
    request.bearer = bearer;
  };

  const isOffered = ({ extension }: Operation): boolean =>
    extension === null || options.extensions.includes(extension);
  for (const operation of operationsOf(document)) {
    const { id, method, path, needsBearer, requestSchema, inSetupMode, isStream } = operation;
    const handler = options.handlers[id];
    if (handler === undefined) {
      if (isOffered(operation)) throw new Error(`No operation for ${method} ${path}.`);
      continue;
    }
    app.route({
      method,
      // HEAD would run the call, and the GET of an API invitation works once.
      exposeHeadRoute: false,
      url: path.replace(/\{(\w+)\}/g, ':$1'),
      config: { operationId: id, inSetupMode, isStream, ...limitOf(operation.rateLimit, options.rateLimit) },
      // For the route and not for a content type, so that a request without one is validated too. Responses: see
      // `checkResponses`.
      schema: {
        params: paramsSchema(document, operation.pathSchemas, 'required'),
        ...(Object.keys(operation.querySchemas).length === 0
          ? {}
          : { querystring: paramsSchema(document, operation.querySchemas) }),
        ...(requestSchema === null ? {} : { body: schemaAt(document, requestSchema) }),
      },
      ...(needsBearer ? { preParsing: authenticate } : {}),
      handler: handlerOf(id, operation.isRepeatable, handler),
    });
  }
}

function paramsSchema(
  document: ReturnType<typeof readContract>,
  schemas: Operation['pathSchemas'],
  isRequired?: 'required',
): object {
  const properties = Object.entries(schemas).map(([name, at]) => [name, schemaAt(document, at)] as const);
  return {
    type: 'object',
    required: isRequired === undefined ? [] : Object.keys(schemas),
    properties: Object.fromEntries(properties),
  };
}

function handlerOf(id: string, isRepeatable: boolean, handler: Handler): RouteOptions['handler'] {
  return (request, reply) => {
    const carryOut = () =>
      handler({
        // The route's schema and the type both come from the contract.
        body: request.body as Call<OperationId>['body'],
        params: request.params as Call<OperationId>['params'],
        query: request.query as Call<OperationId>['query'],
        caller: request.caller,
        bearer: () => {
          if (request.bearer === null) throw new Error(`${id} has no bearer in the contract.`);
          return request.bearer;
        },
      });
    // nginx would otherwise hold events back.
    if (request.routeOptions.config.isStream === true)
      reply.type('text/event-stream').header('X-Accel-Buffering', 'no');
    return isRepeatable
      ? retryWhileAway(carryOut, { isPointless: () => request.caller.gone.aborted })
      : carryOut();
  };
}

function limitOf(limit: RateLimit, options: RateLimitOptions | 'off'): RouteOptions['config'] {
  return options === 'off' || limit === 'general' ? {} : { rateLimit: { max: options[limitOptions[limit]] } };
}

/** Validates responses before they are serialised. */
function checkResponses(app: FastifyInstance, logger: Logger): void {
  const checker = createContractChecker();
  app.addHook('preSerialization', async (request, reply, payload: unknown) => {
    const { operationId } = request.routeOptions.config;
    if (operationId === undefined || reply.statusCode >= 500) return payload;
    const fault = checker.faultInResponse(operationId, reply.statusCode, payload);
    if (fault === null) return payload;
    // Not thrown: the response may come from the error handler, and Fastify formats an error after that itself.
    const error = new Error(`The response breaks the contract: ${fault}`);
    return startFailure(reply, failureFrom(error, logger, callOf(request)));
  });
}
