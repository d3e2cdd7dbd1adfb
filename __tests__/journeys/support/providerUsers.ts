import { microsoftClientId, microsoftTenantId, type ProviderName } from '@vestibule/local';
import { accountOf, type EnvironmentAccount } from './accountOf';
import type { LocalEnvironment } from './environment';

/** The methods as the service's directory keeps them. */
export const offered = {
  basic: { method: 'basic' },
  google: { method: 'google' },
  microsoft: {
    method: 'microsoft',
    configuration: { tenantId: microsoftTenantId, clientId: microsoftClientId },
  },
} as const satisfies Readonly<
  Record<ProviderName | 'basic', NonNullable<EnvironmentAccount['methods']>[number]>
>;

/** A user with two applications, who goes to the account settings and may use every method. */
export function withSeveralApplications(environment: LocalEnvironment, username: string): EnvironmentAccount {
  return accountOf(username, {
    methods: Object.values(offered),
    personas: {
      ledger: [{ applicationUrl: `${environment.origin('ledger')}/` }],
      supplierHub: [{ applicationUrl: `${environment.origin('hub')}/` }],
    },
  });
}

/** Both providers: their names on our page, and the ready-made user who can use no other method. */
export const providers = [
  { provider: 'google', brand: 'Google', only: 'google@payments.example', firstName: 'Gina' },
  { provider: 'microsoft', brand: 'Microsoft', only: 'microsoft@payments.example', firstName: 'Mick' },
] as const;
