import type { Page } from '@playwright/test';
import type { CodePage } from '../pages/CodePage';
import type { LoginPage } from '../pages/LoginPage';
import type { PasswordPage } from '../pages/PasswordPage';
import type { ProviderWindow } from '../pages/ProviderWindow';
import type { TwoStepSetup } from '../pages/TwoStepSetup';
import type { World } from './world';

/** The fixtures of a journey that a tour uses. */
export interface Walker {
  readonly page: Page;
  readonly world: World;
  readonly login: LoginPage;
  readonly twoStep: TwoStepSetup;
  readonly codes: CodePage;
  readonly passwords: PasswordPage;
  readonly signedInAs: (username: string) => Promise<void>;
  readonly openProvider: (press: () => Promise<void>) => Promise<ProviderWindow>;
}

/** Called for every screen of a tour; for one that is shown briefly, while the page's clock is paused. */
type Look = (screen: string, time?: 'paused') => Promise<void>;

/** Opens screens one after the other, in the look of the query (empty, or with its question mark). */
export type Tour = (walker: Walker, query: string, look: Look) => Promise<void>;
