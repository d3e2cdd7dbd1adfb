import type { AppConfig } from '@vestibule/contract/appConfig';
import type { Vault, VaultContents } from '@shared/ports/vault';
import type { Feature } from './deps';
import { createContext, use } from 'react';

/** The runtime configuration, for screens that show a configured address or label. It never changes while running. */
export const ConfigContext = createContext<AppConfig | null>(null);

/** Reads the configuration inside a rendered application. */
export function useConfig(): AppConfig {
  const config = use(ConfigContext);
  if (!config) throw new Error('No ConfigContext above this screen');
  return config;
}

/** The features in use, for screens with slots. */
export const FeaturesContext = createContext<readonly Feature[]>([]);

/** Reads the features in use, which never change while running. */
export const useFeatures = (): readonly Feature[] => use(FeaturesContext);

/** The vault, for the few screens whose purpose is to show a secret. Without a provider it is empty. */
export const VaultContext = createContext<Pick<Vault, 'get'>>({ get: () => undefined });

/**
 * The current value in the vault. A screen reads it in the phase for which its saga has stored it. `undefined` if DevTools
 * shows a past state.
 */
export function useVaultValue<K extends keyof VaultContents>(key: K): VaultContents[K] | undefined {
  return use(VaultContext).get(key);
}
