import type { Api } from '@shared/api/api';

export const bearer = 'Bearer b';
export const tokens = { token: 't', refresh: 'r' };

export const get = (path: string, authorization?: string) => [`GET ${path}`, undefined, authorization];
export const post = (path: string, body: object, authorization?: string) => [
  `POST ${path}`,
  body,
  authorization,
];

/** All groups of calls. */
export type Calls = Omit<Api, 'warmUp'>;

/** A call, the service's answer, what was sent, and what the application gets of the answer (by default: all). */
export type Row = readonly [
  call: (api: Calls) => Promise<unknown>,
  answer: unknown,
  sent: unknown,
  got?: unknown,
];
