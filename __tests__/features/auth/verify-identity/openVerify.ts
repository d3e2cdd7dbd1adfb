import type { LoginMethod } from '@shared/api/decoders';
import { ApiError } from '@shared/api/apiError';
import { accessToken, methods, type AccessTokenFacts } from '../../../support/builders';
import { fakeDeps, type TabOptions } from '../../../support/fakeDeps';
import { openApp, settle, type OpenApp } from '../../../support/openApp';
import { put } from '../../../support/sessionCookies';

/** A signed-in user on the account settings. */
export interface VerifyApp extends OpenApp {
  /** The bearer of their calls. */
  readonly token: string;
}

interface Options extends Pick<TabOptions, 'embedding'> {
  readonly method?: AccessTokenFacts['method'];
  /** The flag of the session's token. */
  readonly isMfaSetup?: boolean;
  readonly offered?: readonly LoginMethod[];
  readonly path?: string;
  /** Further claims of the token. */
  readonly claims?: Partial<AccessTokenFacts>;
}

/** Opens the settings; the methods call offers Google to a user without a password. */
export async function openSettings({
  method = 'basic',
  isMfaSetup = false,
  offered = [methods.google],
  path = '/account-settings',
  claims = {},
  embedding = 'none',
}: Options = {}): Promise<VerifyApp> {
  const deps = fakeDeps({ path, embedding });
  // Lives long enough to avoid a refresh in between.
  const token = accessToken({ method, isMfaSetup, lifeSeconds: 86_400, ...claims });
  put(deps, { token, refresh: 'refresh-1' });
  deps.api.users.attributes.mockRejectedValue(new ApiError('network'));
  deps.api.auth.methods.mockResolvedValue(offered);
  deps.api.auth.validatePassword.mockResolvedValue({ authVerificationToken: 'vt-1' });
  const app = openApp(deps);
  await settle();
  return {
    ...app,
    token,
  };
}
