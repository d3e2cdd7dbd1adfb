import type { Api } from './api/api';
import type { AppConfig } from '@vestibule/contract/appConfig';
import type { Ports } from './ports/ports';

/** What `rootSaga(deps)` hands to every saga. */
export interface Deps extends Ports {
  readonly api: Api;
  readonly config: AppConfig;
}
