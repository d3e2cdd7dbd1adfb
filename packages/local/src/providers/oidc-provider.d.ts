/** The part of oidc-provider (which brings no types) that the local environment uses. */
declare module 'oidc-provider' {
  import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

  /** Koa's context, as far as it is touched here. */
  export interface Context {
    readonly req: IncomingMessage;
    readonly res: ServerResponse;
    status: number;
    type: string;
    body: unknown;
    readonly response: { readonly get: (header: string) => string | undefined };
    readonly set: (header: string, value: string) => void;
    readonly oidc: {
      readonly params: Readonly<Record<string, unknown>>;
      readonly session: { readonly accountId?: string };
      readonly result?: { readonly login?: { readonly accountId: string } };
    };
  }

  /** A question to the person: who are you, do you agree. */
  export interface Interaction {
    readonly uid: string;
    readonly params: Readonly<Record<string, unknown>>;
    readonly prompt: { readonly name: string };
    readonly grantId?: string;
    /** The session at the time of the request; absent while no user is signed in. */
    session?: { readonly accountId: string; readonly uid: string };
    readonly persist: () => Promise<string>;
  }

  /** What the person answered. */
  export type InteractionResult =
    /** `ts`: when the person signed in, seconds since the epoch; default now. */
    | { readonly login: { readonly accountId: string; readonly ts?: number } }
    | { readonly consent: { readonly grantId: string } }
    | { readonly error: string; readonly error_description?: string };

  interface Grant {
    readonly addOIDCScope: (scope: string) => void;
    readonly save: () => Promise<string>;
  }

  interface Session {
    /** Changes with each use; the cookie holds it. */
    readonly jti: string;
    readonly accountId?: string;
  }

  interface Cookies {
    readonly set: (
      name: string,
      value: string | null,
      options: { httpOnly: boolean; overwrite: boolean; sameSite: 'lax'; path: string },
    ) => void;
  }

  export class Provider {
    constructor(issuer: string, configuration: Readonly<Record<string, unknown>>);
    readonly Grant: {
      new (of: { readonly accountId: string; readonly clientId: string }): Grant;
      readonly find: (id: string) => Promise<Grant | undefined>;
    };
    readonly Session: {
      readonly findByUid: (uid: string) => Promise<Session | undefined>;
      /** The browser's session; a new one, not stored yet, where there is none. */
      readonly get: (context: { readonly cookies: Cookies }) => Promise<Session>;
    };
    readonly createContext: (
      request: IncomingMessage,
      response: ServerResponse,
    ) => { readonly cookies: Cookies };
    readonly cookieName: (of: 'session') => string;
    readonly callback: () => RequestListener;
    readonly use: (middleware: (context: Context, next: () => Promise<void>) => Promise<void>) => Provider;
    readonly on: {
      (event: 'server_error', listener: (context: Context, error: Error) => void): Provider;
      (event: 'error', listener: (error: Error) => void): Provider;
    };
    readonly interactionDetails: (request: IncomingMessage, response: ServerResponse) => Promise<Interaction>;
    readonly interactionFinished: (
      request: IncomingMessage,
      response: ServerResponse,
      result: InteractionResult,
      options?: { readonly mergeWithLastSubmission: boolean },
    ) => Promise<void>;
  }

  interface Check {
    readonly reason: string;
  }

  export const interactionPolicy: {
    readonly base: () => {
      readonly get: (prompt: 'login' | 'consent') => {
        readonly checks: { readonly add: (check: Check) => void };
      };
    };
    readonly Check: new (reason: string, description: string, check: (context: Context) => boolean) => Check;
  };

  export const errors: { readonly SessionNotFound: new () => Error };
}
