import { readyPassword } from '@vestibule/local';
import { isDriven } from './engine';
import { engineTest } from './engineTest';
import { AccountSettingsPage } from '../pages/AccountSettingsPage';
import { ApplicationPage } from '../pages/ApplicationPage';
import { CodePage } from '../pages/CodePage';
import { LoginPage } from '../pages/LoginPage';
import { PasswordPage } from '../pages/PasswordPage';
import { ProviderWindow } from '../pages/ProviderWindow';
import { TwoStepSetup } from '../pages/TwoStepSetup';
import { expect } from './expect';
import { FamilyCookies } from './familyCookies';
import { followFocus } from './focus';
import { failedRequest, noPageFaults, watchPages, type PageFaults } from './pageFaults';
import { ProviderTraffic } from './providerTraffic';
import { refusesExtensions, runEnvironment, type RunOptions, type ServiceSettings } from './runEnvironment';
import { extensionReads, LocalEnvironment } from './environment';

interface JourneyFixtures {
  readonly pageFaults: PageFaults;
  readonly cookies: FamilyCookies;
  readonly login: LoginPage;
  readonly settings: AccountSettingsPage;
  readonly ledger: ApplicationPage;
  readonly hub: ApplicationPage;
  readonly codes: CodePage;
  readonly twoStep: TwoStepSetup;
  readonly passwords: PasswordPage;
  readonly providerTraffic: ProviderTraffic;
  /** The window that a press on the page opens. */
  readonly openProvider: (press: () => Promise<void>) => Promise<ProviderWindow>;
  /** A user who signed in on an earlier visit: the cookies are there, no page is open yet. */
  readonly signedInAs: (username: string) => Promise<void>;
  /** The same, at the account settings, which have been loaded. */
  readonly atSettings: (username: string) => Promise<void>;
  /** A user who has entered the right password, at the code boxes. */
  readonly atChallenge: (username: string) => Promise<void>;
}

interface EnvironmentFixtures {
  readonly serviceSettings: ServiceSettings;
  readonly sameSite: NonNullable<RunOptions['sameSite']>;
  readonly devTools: boolean;
  /** Address of a collector of reports; empty: none. */
  readonly reportsTo: string;
  /** Languages of the page; empty: English only. */
  readonly languages: readonly string[];
  readonly environment: LocalEnvironment;
}

/**
 * A journey: a fresh browser context in its own worker's environment, which is reset before every test. A
 * test fails when any of its pages logs an error, violates the content-security policy or throws, unless it expects so.
 */
export const test = engineTest.extend<JourneyFixtures, EnvironmentFixtures>({
  serviceSettings: [{}, { option: true, scope: 'worker' }],
  sameSite: ['Lax', { option: true, scope: 'worker' }],
  devTools: [false, { option: true, scope: 'worker' }],
  reportsTo: ['', { option: true, scope: 'worker' }],
  languages: [[], { option: true, scope: 'worker' }],
  environment: [
    async ({ serviceSettings, sameSite, devTools, reportsTo, languages }, use) => {
      const collector = reportsTo === '' ? {} : { reportsTo };
      const process = await runEnvironment({
        service: serviceSettings,
        sameSite,
        devTools,
        ...(languages.length === 0 ? {} : { languages }),
        ...collector,
      });
      await use(new LocalEnvironment(process.port));
      await process.stop();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  baseURL: async ({ environment }, use) => {
    await use(environment.origin('app'));
  },
  pageFaults: [
    async ({ context, environment }, use) => {
      await environment.reset();
      await followFocus(context);
      if (isDriven) {
        await use(noPageFaults);
        return;
      }
      const pageFaults = await watchPages(context);
      if (refusesExtensions) pageFaults.allow(failedRequest(404));
      // Calls in the background do not wait for each other, so the session may end before they arrive.
      pageFaults.allow(failedRequest(`401.*(?:${extensionReads.join('|')})\\)`));
      await use(pageFaults);
      expect(pageFaults.found(), 'what the pages of this test complained about').toEqual([]);
    },
    { auto: true },
  ],
  cookies: async ({ context, environment }, use) => {
    await use(new FamilyCookies(context, environment));
  },
  login: async ({ page }, use) => {
    await use(new LoginPage(page));
  },
  settings: async ({ page }, use) => {
    await use(new AccountSettingsPage(page));
  },
  ledger: async ({ page, environment }, use) => {
    await use(new ApplicationPage(page, environment.origin('ledger')));
  },
  hub: async ({ page, environment }, use) => {
    await use(new ApplicationPage(page, environment.origin('hub')));
  },
  codes: async ({ page }, use) => {
    await use(new CodePage(page));
  },
  twoStep: async ({ page }, use) => {
    await use(new TwoStepSetup(page));
  },
  passwords: async ({ page }, use) => {
    await use(new PasswordPage(page));
  },
  providerTraffic: async ({ context, environment }, use) => {
    await use(new ProviderTraffic(context, environment));
  },
  openProvider: async ({ page }, use) => {
    await use(async (press) => await ProviderWindow.openedBy(page, press));
  },
  signedInAs: async ({ context, environment }, use) => {
    await use(async (username) => {
      await context.addCookies(await environment.signInAs(username));
    });
  },
  atSettings: async ({ settings, signedInAs }, use) => {
    await use(async (username) => {
      await signedInAs(username);
      await settings.open();
      await settings.expectOpen();
    });
  },
  atChallenge: async ({ login, codes }, use) => {
    await use(async (username) => {
      await login.open();
      await login.signInAs(username, readyPassword);
      await codes.expectAtSignIn();
    });
  },
});

export { expect };
