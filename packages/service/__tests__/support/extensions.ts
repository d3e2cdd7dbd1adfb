import { extensionNames } from '@vestibule/contract/document';
import type { AppConfig } from '@vestibule/contract/appConfig';
import { extensionOptions, type ServiceOptions } from '../../src/index.ts';
import { loginOrigin } from './testService.ts';

/** The page of an application, which may show pages of this product in a frame. */
export const parentOrigin = 'http://hub.payments.localhost';

/** The options that switch these extensions on. The name of an extension that was deleted has no effect. */
export const optionsOf = (...extensions: readonly string[]): Partial<ServiceOptions> =>
  extensionOptions({
    signOnUrl: loginOrigin,
    cookies: { prefix: 'payments-test', domain: 'payments.localhost', sameSite: 'Lax' },
    ...{ brands: {}, parentOrigins: [parentOrigin], supplierHosts: [], extensions },
    redirectHosts: ['*.example.com'],
    passkeys: { rpId: new URL(loginOrigin).hostname },
  } as unknown as AppConfig);

/** A test of several extensions. It is left out where one of the others was deleted. */
export const itWith = (...others: readonly string[]): typeof it =>
  others.every((other) => extensionNames().includes(other)) ? it : it.skip;
