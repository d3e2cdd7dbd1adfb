import type { AppConfig } from '@vestibule/contract/appConfig';
import type { AppHeaderFacts } from '@vestibule/contract/pageHeaders';
import { permissionsOf } from '../slots.ts';

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
