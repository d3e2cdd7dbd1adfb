import type { Readable } from 'node:stream';
import type { operations } from '@vestibule/contract/schema';
import type { Client } from '../clients/clients.ts';
import type { Bearer } from '../keys/signedTokens.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { CallContext, ServiceContext } from '../context.ts';

/** The `operationId`s of the contract. */
export type OperationId = keyof operations;

type JsonOf<Part> = Part extends { readonly content: { readonly 'application/json': infer Body } }
  ? Body
  : never;

/** The JSON body of a response with status 200 or 201, or the event stream. */
type ResponseBodyOf<Id extends OperationId> = operations[Id] extends {
  readonly responses: { readonly 200: infer Done } | { readonly 201: infer Done };
}
  ? Done extends { readonly content: { readonly 'text/event-stream': string } }
    ? Readable
    : JsonOf<Done>
  : never;

type BodyOf<Id extends OperationId> = operations[Id] extends { readonly requestBody: infer Body }
  ? JsonOf<Body>
  : undefined;

type ParamsOf<Id extends OperationId> = operations[Id] extends {
  readonly parameters: { readonly path: infer Path };
}
  ? Path
  : Record<string, never>;

type QueryOf<Id extends OperationId> = operations[Id] extends {
  readonly parameters: { readonly query?: infer Query };
}
  ? NonNullable<Query>
  : Record<string, never>;

/** A call whose request is valid: its Fastify request. */
export interface Call<Id extends OperationId> {
  readonly body: BodyOf<Id>;
  readonly params: ParamsOf<Id>;
  readonly query: QueryOf<Id>;
  readonly caller: Caller;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Reading it throws if this call has none in the contract: a programming error. */
  readonly bearer: Bearer;
  /** The same for the client of a call of a server. */
  readonly client: Client;
}

/** Carries out a call. Throws `ServiceError` for a failure that is reported to the caller. */
export type Operation<Id extends OperationId, Context = ServiceContext> = (
  context: Context & CallContext,
  call: Call<Id>,
) => Promise<ResponseBodyOf<Id>>;

export type Operations<Context = ServiceContext> = { readonly [Id in OperationId]?: Operation<Id, Context> };
