import type { AppConfig } from '@vestibule/contract/appConfig';
import type { AppHeaderFacts } from '@vestibule/contract/pageHeaders';
import { permissionsOf } from '../slots.ts';

/** For what changes, or must not be kept. */
export const noStore = { 'Cache-Control': 'no-store' };

/** Where password managers look for the change of a password, and the screen that they are led to. */
export const changePassword = ['/.well-known/change-password', '/reset-password-verify'] as const;

/** The facts that the configuration of the page determines. */
export function headerFacts(config: AppConfig): Omit<AppHeaderFacts, 'path'> & { readonly https: boolean } {
  return {
    serviceOrigin: new URL(config.serviceUrl).origin,
    parentOrigins: config.parentOrigins,
    https: config.signOnUrl.startsWith('https:'),
    permissions: permissionsOf(config),
    ...(config.reportsTo === undefined ? {} : { reportsTo: config.reportsTo }),
  };
}
