import type { operations } from '@vestibule/contract/schema';
import type { Bearer } from '../security/signedTokens.ts';

/** The contract's names of the calls. */
export type OperationId = keyof operations;

type JsonOf<Part> = Part extends { readonly content: { readonly 'application/json': infer Body } }
  ? Body
  : never;

/** The JSON that the call answers with status 200. */
export type AnswerOf<Id extends OperationId> = operations[Id] extends {
  readonly responses: { readonly 200: infer Done };
}
  ? JsonOf<Done>
  : never;

type BodyOf<Id extends OperationId> = operations[Id] extends { readonly requestBody: infer Body }
  ? JsonOf<Body>
  : undefined;

type ParamsOf<Id extends OperationId> = operations[Id] extends {
  readonly parameters: { readonly path: infer Path };
}
  ? Path
  : Record<string, never>;

/** Who calls, as far as limits and queues need to know. */
export interface Caller {
  /** What limits count the client by, see `networkOf`. */
  readonly network: string;
  /** What the browser calls itself (`User-Agent`), at most 256 characters of it, others than ASCII as '?'; `null` where it says nothing. */
  readonly device: string | null;
  /** Aborted, with `callerGone`, when the caller hangs up before the answer was sent. */
  readonly gone: AbortSignal;
  /** `performance.now()` when the call came, ms. */
  readonly arrived: number;
}

/** One call, after the contract's checks. */
export interface Call<Id extends OperationId> {
  readonly body: BodyOf<Id>;
  readonly params: ParamsOf<Id>;
  readonly caller: Caller;
  /**
   * Who calls.
   *
   * @throws Error when the contract asks no bearer of this call: a mistake in the service.
   */
  readonly bearer: () => Bearer;
}

/** Carries out one call. Throws `ServiceError` for what the caller should be told. */
export type Handler<Id extends OperationId> = (call: Call<Id>) => Promise<AnswerOf<Id>>;

/** One handler for each call of the contract; a missing one is a type error. */
export type Handlers = { readonly [Id in OperationId]: Handler<Id> };
