import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

/** The part of oidc-provider that is used. */
export interface Library {
  readonly Provider: {
    new (issuer: string, configuration: Readonly<Record<string, unknown>>): Provider;
    /** The context of the request that is carried out; `undefined` outside. */
    readonly ctx: OidcContext | undefined;
  };
  readonly errors: Readonly<Record<ErrorName, new (description?: string) => Error>>;
  readonly interactionPolicy: {
    readonly Prompt: new (
      facts: { readonly name: string; readonly requestable: boolean },
      details: (ctx: OidcContext) => object | Promise<object>,
      ...checks: readonly object[]
    ) => { readonly name: string; readonly checks: { readonly remove: (reason: string) => void } };
    readonly Check: new (
      reason: string,
      description: string,
      check: (ctx: OidcContext) => boolean | Promise<boolean>,
    ) => object;
  };
}

type ErrorName =
  | 'AccessDenied'
  | 'InvalidGrant'
  | 'InvalidRequestUri'
  | 'InvalidTarget'
  | 'InvalidToken'
  | 'LoginRequired'
  | 'TemporarilyUnavailable'
  | 'UnmetAuthenticationRequirements';

/** What is stored of a session, a code, a token, a grant or an interaction. */
export type Payload = Readonly<Record<string, unknown>>;

/** The storage of one model. */
export interface Adapter {
  readonly upsert: (id: string, payload: Payload, expiresIn?: number) => Promise<void>;
  readonly find: (id: string) => Promise<Payload | undefined>;
  readonly findByUid: (uid: string) => Promise<Payload | undefined>;
  readonly findByUserCode: (code: string) => Promise<Payload | undefined>;
  readonly consume: (id: string) => Promise<void>;
  readonly destroy: (id: string) => Promise<void>;
  readonly revokeByGrantId: (grantId: string) => Promise<void>;
}

export interface ProviderClient {
  readonly clientId: string;
  readonly clientAuthMethod: string;
  readonly grantTypeAllowed: (type: string) => boolean;
  readonly postLogoutRedirectUriAllowed: (address: string) => boolean;
}

interface Grant {
  jti: string;
  readonly getOIDCScope: () => string;
  readonly addOIDCScope: (scope: string) => void;
  readonly getResourceScope: (resource: string) => string;
  readonly addResourceScope: (resource: string, scope: string) => void;
  readonly save: () => Promise<string>;
}

export interface OidcSession {
  readonly new?: true;
  readonly uid: string;
  readonly accountId?: string;
  readonly authorizations?: Readonly<Record<string, { readonly grantId?: string }>>;
  touched?: boolean;
  readonly grantIdFor: (clientId: string) => string | undefined;
}

export interface StoredInteraction {
  readonly uid: string;
  readonly returnTo: string;
  readonly params: Readonly<Record<string, string | undefined>>;
  readonly session?: { readonly uid?: string; readonly accountId: string };
  readonly prompt: { readonly name: string; readonly details: Payload };
  readonly result?: Payload;
}

interface AccessToken {
  jti: string;
  aud?: string | undefined;
  iat?: number;
  exp?: number;
  readonly clientId: string;
  readonly expiration: number;
}

/** A class of the library whose instances are stored. */
interface Model<Instance> {
  new (payload: object): Instance;
  readonly prototype: Record<string, unknown>;
  readonly IN_PAYLOAD: readonly string[];
  find(id: string, options?: object): Promise<Instance | undefined>;
}

export interface Provider {
  proxy: boolean;
  readonly issuer: string;
  readonly callback: () => RequestListener;
  readonly use: (middleware: (ctx: OidcContext, next: () => Promise<void>) => Promise<void>) => void;
  readonly on: (event: string, listener: (...args: readonly never[]) => void) => void;
  readonly Client: Model<ProviderClient>;
  readonly Grant: Model<Grant>;
  readonly AccessToken: Model<AccessToken>;
  readonly ReplayDetection: { unique: (issuer: string, id: string, exp: number) => Promise<boolean> };
  readonly Session: Model<OidcSession> & {
    get: (ctx: OidcContext) => Promise<OidcSession>;
    readonly instantiate: (payload?: Payload) => OidcSession;
  };
  readonly OIDCContext: new (...args: readonly never[]) => object;
  readonly IdToken: {
    new (claims: object, of: { readonly client: ProviderClient; readonly ctx: undefined }): IdToken;
    validate: (token: string, client: ProviderClient) => Promise<{ readonly payload: Payload }>;
  };
}

interface IdToken {
  mask: object;
  readonly set: (claim: string, value: unknown) => void;
  readonly issue: (options: { readonly use: 'logout' }) => Promise<string>;
}

/** Koa's context of a request, with that of the library. */
export interface OidcContext {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string | string[] | undefined>>;
  status: number;
  type: string;
  body: unknown;
  readonly redirect: (address: string) => void;
  readonly oidc: {
    readonly route: string;
    readonly params: Record<string, string | undefined>;
    readonly body?: Readonly<Record<string, string | undefined>>;
    readonly client: ProviderClient & ClientExtras;
    /** Only where the browser itself asks. */
    readonly session?: OidcSession;
    readonly account?: { readonly accountId: string; readonly personas: readonly string[] };
    readonly prompts: ReadonlySet<string>;
    readonly requestParamOIDCScopes: ReadonlySet<string>;
    readonly resourceServers: Readonly<Record<string, { readonly scopes: ReadonlySet<string> }>>;
    readonly result?: Payload;
    readonly entities: {
      readonly Client?: ProviderClient;
      readonly Interaction?: StoredInteraction;
      readonly PushedAuthorizationRequest?: { readonly request: string };
      readonly RefreshToken?: { readonly accountId: string };
      readonly IdTokenHint?: { readonly payload: Payload };
    };
    readonly entity: (name: string, value: object) => void;
    readonly issuer: string;
  };
}

/** What the metadata of a client have in addition. */
interface ClientExtras {
  readonly consent?: boolean;
  readonly persona?: string;
  readonly acr?: string;
}

/** Loads the library when it is first needed: without OpenID it takes neither time nor memory. */
export async function loadLibrary(): Promise<Library> {
  return (await import('oidc-provider')) as unknown as Library;
}
