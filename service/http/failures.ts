import type { FastifyError, FastifyReply } from 'fastify';
import type { ErrorAnswer } from '@contract/schema.gen';
import { ServiceError } from '../errors';
import type { Logger } from '../options';

/** Fastify's and the parser's own texts may quote the body, so each of their codes has a sentence here. */
const requestFaults: Readonly<Record<string, readonly [status: number, message: string]>> = {
  FST_ERR_CTP_INVALID_JSON_BODY: [400, 'body is not valid JSON'],
  FST_ERR_CTP_EMPTY_JSON_BODY: [400, 'body is empty'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [400, 'body does not have the length that was announced'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [415, 'body must be application/json'],
  FST_ERR_CTP_BODY_TOO_LARGE: [413, 'body is too large'],
  FST_ERR_BAD_URL: [400, 'path is not valid'],
  FST_ERR_MAX_PARAM_LENGTH: [414, 'path is too long'],
};

/** The failure that the caller is told about, whatever was thrown. */
export function failureFrom(error: unknown, logger: Logger, call: string): ServiceError {
  if (error instanceof ServiceError) return error;
  if (isFastifyError(error)) {
    if (error.validation !== undefined) return new ServiceError(400, 'invalid_request', error.message);
    const fault = requestFaults[error.code];
    if (fault !== undefined) return new ServiceError(fault[0], 'invalid_request', fault[1]);
    const status = error.statusCode ?? 500;
    if (status >= 400 && status < 500) {
      return new ServiceError(status, 'invalid_request', 'The request could not be read.');
    }
  }
  logger.error('call failed', { call, ...describeCause(error) });
  return new ServiceError(500, 'unexpected', 'Something went wrong on our side.');
}

/** Sends a failure in the contract's form. */
export function sendFailure(reply: FastifyReply, failure: ServiceError): FastifyReply {
  const body: ErrorAnswer = { error: { message: failure.message, code: failure.code } };
  if (failure.retryAfterSeconds !== undefined) reply.header('Retry-After', String(failure.retryAfterSeconds));
  if (failure.code === 'unauthorized') reply.header('WWW-Authenticate', 'Bearer');
  return reply.status(failure.status).header('Cache-Control', 'no-store').send(body);
}

function isFastifyError(error: unknown): error is FastifyError {
  return error instanceof Error && 'code' in error && typeof error.code === 'string';
}

/** PostgreSQL's `detail` quotes rows, so only the message, the code and the place are written down. */
function describeCause(error: unknown): Record<string, string> {
  if (!(error instanceof Error)) return { reason: typeof error };
  const code = 'code' in error && typeof error.code === 'string' ? { errorCode: error.code } : {};
  return { reason: error.message, ...code, at: error.stack?.split('\n')[1]?.trim() ?? '' };
}
