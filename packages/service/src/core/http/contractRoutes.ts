import type { FastifyInstance, FastifyRequest, FastifySchema, RouteOptions } from 'fastify';
import { createContractChecker } from '@vestibule/contract/responseValidation';
import {
  operationsOf,
  readContract,
  schemaAt,
  type Operation as ContractOperation,
} from '@vestibule/contract/document';
import { retryWhileAway } from '../../platform/database/retry.ts';
import type { Client } from '../clients/clients.ts';
import type { Bearer } from '../keys/signedTokens.ts';
import type { CallContext } from '../context.ts';
import type { RateLimits, ServiceSettings } from '../settings/options.ts';
import { sessionEnded } from '../errors.ts';
import { rateLimited, ServiceError } from '../../platform/errors.ts';
import { callOf, failureFrom, problemType, startFailure } from '../../platform/http/failures.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { Call, Operation, OperationId, Operations } from './operations.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The `operationId` of the contract; absent on routes outside the contract. */
    operationId?: string;
    /** The response is an event stream, which stays open. */
    isStream?: boolean;
    /** Requested again and again; only failures are logged. */
    isHealth?: boolean;
    /** The statuses whose responses are problem details (RFC 9457). */
    problems?: readonly number[];
  }
  interface FastifyRequest {
    authenticated: { readonly bearer: Bearer } | { readonly client: Client } | null;
    readonly bearer: Bearer;
    readonly client: Client;
  }
}

const limitOptions = {
  methods: 'methodCallsPerMinute',
  tokens: 'tokenCallsPerMinute',
  secrets: 'secretChecksPerMinute',
} as const;

export interface ContractParts {
  readonly settings: ServiceSettings;
  readonly operations: Operations;
  /** Carries out a call of the contract. */
  readonly contextOf: (caller: Caller) => CallContext;
  /** The handlers of the calls, without the extensions that are off. */
  readonly extensions: readonly string[];
  readonly readBearer: (authorization: string | undefined) => Promise<Bearer>;
  readonly readClient: (authorization: string | undefined, caller: Caller) => Promise<Client>;
}

/**
 * Registers a route for every call of `openapi.yaml` that the service offers: it checks the bearer, validates the body, runs the operation, and
 * validates the response. An invalid response is not sent.
 */
export function registerContractRoutes(app: FastifyInstance, parts: ContractParts, limits: RateLimits): void {
  const { settings, contextOf, extensions } = parts;
  const authenticateClient = clientAuthentication(parts, limits);
  const operations = parts.operations as Readonly<Record<string, Operation<OperationId>>>;
  const document = readContract();
  const checker = createContractChecker();
  app.decorateRequest('authenticated', null);
  app.decorateRequest('bearer', {
    getter() {
      if (this.authenticated !== null && 'bearer' in this.authenticated) return this.authenticated.bearer;
      throw new Error(`${String(this.routeOptions.config.operationId)} has no bearer in the contract.`);
    },
  });
  app.decorateRequest('client', {
    getter() {
      if (this.authenticated !== null && 'client' in this.authenticated) return this.authenticated.client;
      throw new Error(`${String(this.routeOptions.config.operationId)} has no client in the contract.`);
    },
  });

  for (const contract of operationsOf(document)) {
    const { id, method, path, extension, isRepeatable, isStream } = contract;
    const operation = operations[id];
    if (operation === undefined) {
      if (extension === null || extensions.includes(extension))
        throw new Error(`No operation for ${method} ${path}.`);
      continue;
    }
    const authenticate = contract.needsClient ? authenticateClient : authenticationOf(contract, parts);
    app.route({
      method,
      // HEAD would run the call, and the GET of an API invitation works once.
      exposeHeadRoute: false,
      url: path.replace(/\{(\w+)\}/g, ':$1'),
      config: {
        ...{ operationId: id, isStream, problems: problemsOf(contract) },
        ...limitOf(contract, limits),
      },
      // The schema belongs to the route and not to a content type, so that a request without one is validated too.
      // `checkResponses` validates responses.
      schema: schemaOf(document, contract),
      ...(authenticate === null ? {} : { preParsing: authenticate }),
      handler: (request, reply) => {
        const context = contextOf(request.caller);
        if ('201' in contract.responses) reply.status(201);
        // The route's schema and the type both come from the contract.
        const carryOut = () => operation(context, request as FastifyRequest & Call<OperationId>);
        // A proxy would otherwise hold events back.
        if (isStream) reply.type('text/event-stream').header('X-Accel-Buffering', 'no');
        return isRepeatable
          ? retryWhileAway(carryOut, { isPointless: () => request.caller.gone.aborted })
          : carryOut();
      },
      preSerialization: (request, reply, payload, done) => {
        const fault = reply.statusCode < 500 ? checker.faultInResponse(id, reply.statusCode, payload) : null;
        if (fault === null) {
          done(null, payload);
          return;
        }
        // No error for `done`: the response may come from the error handler, and Fastify formats an error after that itself.
        const error = new Error(`The response breaks the contract: ${fault}`);
        done(null, startFailure(reply, failureFrom(error, settings.logger, callOf(request))));
      },
    });
  }
}

function authenticationOf(
  { needsBearer, inSetupMode }: ContractOperation,
  { readBearer }: ContractParts,
): ((request: FastifyRequest) => Promise<void>) | null {
  if (!needsBearer) return null;
  return async (request) => {
    const bearer = await readBearer(request.headers.authorization);
    // All other calls need a session: see docs/behaviour.md#setup-mode.
    if (bearer.kind === 'setup' && !inSetupMode) throw sessionEnded('unauthorized');
    request.authenticated = { bearer };
  };
}

/**
 * Authenticates the server of an application. Its calls count for the client, because several clients may share a network. Refused calls
 * count for the network, and all have the same response.
 */
function clientAuthentication(
  { readClient }: ContractParts,
  limits: RateLimits,
): (request: FastifyRequest) => Promise<void> {
  const calls = limits.limiter('clientCallsPerMinute');
  const refusals = limits.limiter('secretChecksPerMinute');
  return async (request) => {
    const { caller, headers } = request;
    const client = await readClient(headers.authorization, caller).catch((error: unknown) => {
      const isCounted = error instanceof ServiceError && error.status === 401 && !limits.isUnlimited(request);
      const wait = isCounted ? refusals.count(caller.network) : null;
      throw wait === null ? error : rateLimited(wait);
    });
    const wait = calls.count(client.id);
    if (wait !== null) throw rateLimited(wait);
    request.authenticated = { client };
  };
}

const problemsOf = ({ responses }: ContractOperation): readonly number[] =>
  Object.entries(responses).flatMap(([status, { type }]) => (type === problemType ? [Number(status)] : []));

/** Responses are validated before they are serialised, and not by Fastify. */
function schemaOf(
  document: ReturnType<typeof readContract>,
  { pathSchemas, querySchemas, requestSchema }: ContractOperation,
): FastifySchema {
  return {
    params: paramsSchema(document, pathSchemas, 'required'),
    ...(Object.keys(querySchemas).length === 0 ? {} : { querystring: paramsSchema(document, querySchemas) }),
    ...(requestSchema === null ? {} : { body: schemaAt(document, requestSchema) }),
  };
}

function paramsSchema(
  document: ReturnType<typeof readContract>,
  schemas: ContractOperation['pathSchemas'],
  isRequired?: 'required',
): object {
  const properties = Object.entries(schemas).map(([name, at]) => [name, schemaAt(document, at)] as const);
  return {
    type: 'object',
    required: isRequired === undefined ? [] : Object.keys(schemas),
    properties: Object.fromEntries(properties),
  };
}

function limitOf(
  { needsClient, rateLimit: limit }: ContractOperation,
  limits: RateLimits,
): RouteOptions['config'] {
  // `clientAuthentication` limits it.
  if (needsClient) return { limiter: null };
  return limit === 'general' ? {} : { limiter: limits.limiter(limitOptions[limit]) };
}
