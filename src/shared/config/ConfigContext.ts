import type { AppConfig } from '@shared/platform/appConfig';
import { createContext, use } from 'react';

/** The runtime configuration, for screens that show a configured address or label. It never changes while running. */
export const ConfigContext = createContext<AppConfig | null>(null);

/** Reads the configuration inside a rendered application. */
export function useConfig(): AppConfig {
  const config = use(ConfigContext);
  if (!config) throw new Error('No ConfigContext above this screen');
  return config;
}
