import { STATUS_CODES } from 'node:http';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorResponse } from '@vestibule/contract/schema';
import { isDatabaseAway } from '../database/retry.ts';
import { processAtFault, requestRefused, serviceBusy, ServiceError, type FieldFault } from '../errors.ts';
import { httpTexts } from '../errors.messages.ts';
import { KeyFault } from '../security/secretBox.ts';
import { languageOf, worded } from '../texts/texts.ts';
import type { Logger } from '../settings/options.ts';
import { faultOfField } from './requestFaults.ts';

/** RFC 9457. */
export const problemType = 'application/problem+json';

/** Reasons for the log. Messages of Fastify and the parser may quote the body, so their codes are mapped to these. */
const requestFaults: Readonly<Record<string, readonly [status: number, reason: string]>> = {
  FST_ERR_CTP_INVALID_JSON_BODY: [400, 'body is not valid JSON'],
  FST_ERR_CTP_EMPTY_JSON_BODY: [400, 'body is empty'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [400, 'body does not match Content-Length'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [415, 'body must be application/json'],
  FST_ERR_CTP_BODY_TOO_LARGE: [413, 'body is too large'],
  FST_ERR_BAD_URL: [400, 'path is not valid'],
  FST_ERR_MAX_PARAM_LENGTH: [414, 'path is too long'],
};

/** The failure that is sent to the caller, for any thrown error. */
export function failureFrom(error: unknown, logger: Logger, call: ReturnType<typeof callOf>): ServiceError {
  if (error instanceof ServiceError) return error;
  if (isFastifyError(error)) {
    const [status, reason] = requestFaultOf(error);
    if (status >= 400 && status < 500) {
      logger.info('request refused', { ...call, status, reason });
      return requestRefused(status, [faultOfField(error.validation ?? []) ?? { detail: reason }]);
    }
  }
  logger.error('call failed', { ...call, ...describeCause(error) });
  if (error instanceof KeyFault) return processAtFault();
  if (isDatabaseAway(error)) return serviceBusy();
  return new ServiceError(500, 'unexpected', httpTexts.unexpected);
}

function requestFaultOf(error: FastifyError): readonly [status: number, reason: string] {
  // The message of `describeFault` contains no values.
  if (error.validation !== undefined) return [400, error.message];
  return requestFaults[error.code] ?? [error.statusCode ?? 500, error.code];
}

/**
 * The id, the method and the route pattern of a request, for the log. The address itself may contain usernames and
 * links.
 */
export function callOf(request: FastifyRequest): { readonly id: string; readonly call: string } {
  return { id: request.id, call: `${request.method} ${request.routeOptions.url ?? 'unknown'}` };
}

/** Sends a failure in the contract's form. */
export function sendFailure(reply: FastifyReply, failure: ServiceError): FastifyReply {
  return reply.send(startFailure(reply, failure));
}

/** Sets status and headers of a failure, and removes those of an earlier one. @returns the body, in the form of the contract. */
export function startFailure(reply: FastifyReply, failure: ServiceError): ErrorResponse {
  reply.status(failure.status).header('Cache-Control', 'no-store');
  reply.removeHeader('Retry-After').removeHeader('WWW-Authenticate').removeHeader('Content-Type');
  if (failure.retryAfterSeconds !== undefined) reply.header('Retry-After', String(failure.retryAfterSeconds));
  if (failure.code === 'unauthorized') reply.header('WWW-Authenticate', 'Bearer');
  // Fastify does not decorate a request with a malformed address.
  const language = 'language' in reply.request ? reply.request.language : 'en';
  const vary = [reply.getHeader('Vary') ?? []].flat().join(', ');
  reply.header('Content-Language', languageOf(failure.text, language));
  if (!vary.includes('Accept-Language'))
    reply.header('Vary', [vary || [], 'Accept-Language'].flat().join(', '));
  const error = {
    message: worded(failure.text, language),
    code: failure.code,
    ...failure.details,
  };
  const { problems } = reply.request.routeOptions.config;
  if (problems?.includes(failure.status) !== true) return { error };
  reply.type(problemType);
  return { ...problemOf(failure), error };
}

function problemOf({ status, faults }: ServiceError): object {
  const errors = faults.filter(({ field }) => field !== undefined);
  const sentence = ({ field, detail }: FieldFault) => (field === undefined ? detail : `${field}: ${detail}`);
  return {
    type: 'about:blank',
    title: STATUS_CODES[status],
    status,
    ...(faults.length === 0 ? {} : { detail: faults.map(sentence).join('; ') }),
    ...(errors.length === 0 ? {} : { errors }),
  };
}

function isFastifyError(error: unknown): error is FastifyError {
  return error instanceof Error && 'code' in error && typeof error.code === 'string';
}

/** Describes an error by its message, code and location only, because `detail` of PostgreSQL may quote rows. */
function describeCause(error: unknown): Record<string, string> {
  if (!(error instanceof Error)) return { reason: typeof error };
  const code = 'code' in error && typeof error.code === 'string' ? { errorCode: error.code } : {};
  return { reason: error.message, ...code, at: error.stack?.split('\n')[1]?.trim() ?? '' };
}
