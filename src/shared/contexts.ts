import type { AppConfig } from '@shared/platform/appConfig';
import type { Vault, VaultContents } from '@shared/platform/vault';
import { createContext, use } from 'react';

/** The runtime configuration, for screens that show a configured address or label. It never changes while running. */
export const ConfigContext = createContext<AppConfig | null>(null);

/** Reads the configuration inside a rendered application. */
export function useConfig(): AppConfig {
  const config = use(ConfigContext);
  if (!config) throw new Error('No ConfigContext above this screen');
  return config;
}

/** The vault, for the few screens whose purpose is to show a secret (decisions §10). Outside of it nothing is held. */
export const VaultContext = createContext<Pick<Vault, 'get'>>({ get: () => undefined });

/**
 * What the vault holds at this moment. A screen asks in the phase that its saga put the value there for, and is drawn
 * anew by the next event; `undefined` in an earlier state that DevTools shows.
 */
export function useVaultValue<K extends keyof VaultContents>(key: K): VaultContents[K] | undefined {
  return use(VaultContext).get(key);
}
