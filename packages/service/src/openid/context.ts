import type { IncomingMessage, ServerResponse } from 'node:http';
import type Provider from 'oidc-provider';
import type { ServiceContext } from '../core/context.ts';
import type { ForeignContext } from '../core/http/foreignRoutes.ts';
import type { OpenIdSettings } from './settings.ts';

/** The context of a request to the provider. */
export type OpenIdCall = OpenIdContext & ForeignContext;

export interface OpenIdContext extends ServiceContext {
  readonly settings: OpenIdSettings;
  readonly openId: OpenId;
}

/** The OpenID provider of this process. */
export interface OpenId {
  readonly handle: (call: OpenIdCall, request: IncomingMessage, response: ServerResponse) => Promise<void>;
  /** The provider with the present keys. */
  readonly provider: () => Promise<Provider>;
}
