import type { Page } from '@playwright/test';
import type { CodePage } from '../pages/CodePage';
import type { LoginPage } from '../pages/LoginPage';
import type { PasswordPage } from '../pages/PasswordPage';
import type { ProviderWindow } from '../pages/ProviderWindow';
import type { TwoStepSetup } from '../pages/TwoStepSetup';
import type { World } from './world';

/** Who walks: the fixtures of a journey. */
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

/** What is done on every screen of a tour; one that is there for a moment only is shown while the page's clock is paused. */
type Look = (screen: string, time?: 'paused') => Promise<void>;

/** Leads past screens, in the look that the query asks for (empty, or with its question mark). */
export type Tour = (walker: Walker, query: string, look: Look) => Promise<void>;
