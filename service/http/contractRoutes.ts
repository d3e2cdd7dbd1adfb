import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';
import openapiGlue from 'fastify-openapi-glue';
import { createContractChecker } from '@contract/answers';
import { operationsOf, readContract } from '@contract/document';
import type { RateLimitOptions } from '../options';
import type { Bearer } from '../security/signedTokens';
import type { Call, Handlers, OperationId } from './operations';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The contract's name of the call; absent on routes outside the contract. */
    operationId?: string;
  }
  interface FastifyRequest {
    bearer: Bearer | null;
  }
}

/** Calls with a limit of their own, lower than that of all calls. */
const limits: Readonly<Partial<Record<OperationId, keyof RateLimitOptions>>> = {
  getLoginMethods: 'methodCallsPerMinute',
  createToken: 'tokenCallsPerMinute',
  validatePassword: 'secretChecksPerMinute',
  validateMfaSetup: 'secretChecksPerMinute',
  addSmsPhone: 'secretChecksPerMinute',
  disableMfa: 'secretChecksPerMinute',
  resetPassword: 'secretChecksPerMinute',
  changePassword: 'secretChecksPerMinute',
  activateAccount: 'secretChecksPerMinute',
  requestPasswordReset: 'secretChecksPerMinute',
  getApiInvite: 'secretChecksPerMinute',
};

/** Session tokens only: in setup mode these make no sense (decisions §9). */
const sessionOnly: ReadonlySet<string> = new Set<OperationId>([
  'validatePassword',
  'changePassword',
  'disableMfa',
]);

interface ContractRoutesOptions {
  readonly handlers: Handlers;
  readonly readBearer: (authorization: string | undefined) => Promise<Bearer>;
  readonly refuseSetupToken: () => Error;
  readonly rateLimit: RateLimitOptions | 'off';
}

/**
 * Every call of `openapi.yaml` becomes a route: bearer first, then the body against the contract, then the handler, then
 * the answer against the contract. An answer that breaks it is not sent.
 */
export async function registerContractRoutes(
  app: FastifyInstance,
  options: ContractRoutesOptions,
): Promise<void> {
  const document = readContract();
  const needsBearer = new Set(
    operationsOf(document)
      .filter((operation) => operation.needsBearer)
      .map((operation) => operation.id),
  );
  app.decorateRequest('bearer', null);
  app.addHook('onRoute', useJsonBodySchema);
  checkAnswers(app);

  const authenticate = async (request: FastifyRequest): Promise<void> => {
    const bearer = await options.readBearer(request.headers.authorization);
    const { operationId } = request.routeOptions.config;
    if (bearer.kind === 'setup' && operationId !== undefined && sessionOnly.has(operationId)) {
      throw options.refuseSetupToken();
    }
    request.bearer = bearer;
  };

  await app.register(openapiGlue, {
    specification: document,
    operationResolver: (operationId: string, method: string, path: string): RouteOptions => {
      if (!isOperation(options.handlers, operationId)) throw new Error(`No handler for ${method} ${path}.`);
      return {
        method,
        // HEAD would carry out the call, and an API invitation is opened by its GET, once.
        exposeHeadRoute: false,
        url: path.replace(/\{(\w+)\}/g, ':$1'),
        config: { operationId, ...limitOf(operationId, options.rateLimit) },
        ...(needsBearer.has(operationId) ? { preParsing: authenticate } : {}),
        handler: handlerOf<OperationId>(operationId, options.handlers[operationId]),
      };
    },
  });
}

function isOperation(handlers: Handlers, operationId: string): operationId is OperationId {
  return Object.hasOwn(handlers, operationId);
}

function handlerOf<Id extends OperationId>(operationId: Id, handler: Handlers[Id]): RouteOptions['handler'] {
  return (request) =>
    handler({
      // The route's schema comes from the contract, and so does the type: what passed the one is the other.
      body: request.body as Call<Id>['body'],
      params: request.params as Call<Id>['params'],
      caller: request.caller,
      bearer: () => {
        if (request.bearer === null) throw new Error(`The contract asks no bearer of ${operationId}.`);
        return request.bearer;
      },
    });
}

function limitOf(operationId: OperationId, options: RateLimitOptions | 'off'): RouteOptions['config'] {
  const limit = limits[operationId];
  return options === 'off' || limit === undefined ? {} : { rateLimit: { max: options[limit] } };
}

/**
 * A body schema that hangs on a content type is skipped for a request without one. This API takes JSON only, so the
 * schema is made the route's, whatever the header says. Answers are checked by `checkAnswers`, not re-serialised.
 */
function useJsonBodySchema(route: RouteOptions): void {
  const body = route.schema?.body;
  if (route.schema === undefined) return;
  delete route.schema.response;
  if (isContentSchema(body)) route.schema.body = body.content['application/json'].schema;
}

function isContentSchema(body: unknown): body is { content: { 'application/json': { schema: unknown } } } {
  return typeof body === 'object' && body !== null && 'content' in body;
}

function checkAnswers(app: FastifyInstance): void {
  const checker = createContractChecker();
  app.addHook('preSerialization', async (request, reply, payload: unknown) => {
    const { operationId } = request.routeOptions.config;
    if (operationId === undefined || reply.statusCode >= 500) return payload;
    const fault = checker.faultInAnswer(operationId, reply.statusCode, payload);
    if (fault !== null) throw new Error(`The answer breaks the contract: ${fault}`);
    return payload;
  });
}
