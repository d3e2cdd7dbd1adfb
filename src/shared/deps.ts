import type { Api } from './api/api';
import type { AppConfig } from '@vestibule/contract/appConfig';
import type { Platform } from './platform/platform';

/** What `rootSaga(deps)` hands to every saga; each takes only what it uses: `Pick<Deps, 'api' | 'clock'>`. */
export interface Deps extends Platform {
  readonly api: Api;
  readonly config: AppConfig;
}
