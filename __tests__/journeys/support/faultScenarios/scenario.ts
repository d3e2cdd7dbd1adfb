import { expect, type Locator, type Page } from '@playwright/test';
import type { CodePage } from '../../pages/CodePage';
import type { LoginPage } from '../../pages/LoginPage';
import type { PasswordPage } from '../../pages/PasswordPage';
import type { TwoStepSetup } from '../../pages/TwoStepSetup';
import type { ProviderWindow } from '../../pages/ProviderWindow';
import type { AccountSettingsPage } from '../../pages/AccountSettingsPage';
import type { FamilyCookies } from '../familyCookies';
import { pressMouse } from '../pressMouse';
import { calls, tokensOf, type ServiceCall } from './calls';
import { rightResponse, type Fault } from './faults';
import type { FaultyService } from './FaultyService';

/** Fixtures of a journey, and the service that replaces the environment's. */
export interface ScenarioFixtures {
  readonly page: Page;
  readonly cookies: FamilyCookies;
  readonly login: LoginPage;
  readonly settings: AccountSettingsPage;
  readonly codes: CodePage;
  readonly twoStep: TwoStepSetup;
  readonly passwords: PasswordPage;
  readonly openProvider: (press: () => Promise<void>) => Promise<ProviderWindow>;
  readonly service: FaultyService;
  /** Warnings of the page on its console since the last fault began. */
  readonly warnings: string[];
}

/**
 * What a user sees after a fault: this text, or the regular next screen, if an empty answer is
 * a success.
 */
export type Outcome = { readonly says: string } | 'succeeds';

/** A screen that makes one call, and the result when the call fails. */
export interface Scenario {
  /** Head of the table's row. */
  readonly name: string;
  readonly call: ServiceCall;
  /** The text that the user sees (docs/behaviour.md#errors). */
  readonly outcome: (fault: Fault) => Outcome;
  /** Opens the screen. */
  readonly open: (fixtures: ScenarioFixtures) => Promise<void>;
  /** Makes the call; every press is a double press. */
  readonly press: (fixtures: ScenarioFixtures) => Promise<void>;
  /** Finds this text, and dismisses it where the user has to. */
  readonly expectError: (fixtures: ScenarioFixtures, words: string, fault: Fault) => Promise<void>;
  /** Finds what follows when the call works; without it, the screen ends with the call. */
  readonly expectNextScreen?: (fixtures: ScenarioFixtures) => Promise<void>;
  /** What follows is shown briefly: the page's clock is stopped before it, and started by `reopen`. */
  readonly nextScreenIsBrief?: true;
}

/** The same text for every fault. */
export const always = (words: string) => (): Outcome => ({ says: words });

/** The server's message if there is one. */
export const serverOr =
  (words: string) =>
  ({ message = words }: Fault): Outcome => ({ says: message });

/** Calls with an open answer: with status 2xx, an empty one or one of any type is a success. */
export const openAnswer =
  (outcome: (fault: Fault) => Outcome) =>
  (fault: Fault): Outcome =>
    fault.name === 'empty' || fault.name === 'types' ? 'succeeds' : outcome(fault);

/** Two presses as fast as possible, on an enabled button. */
export async function pressTwice(button: Locator): Promise<void> {
  await expect(button).toBeEnabled();
  await button.scrollIntoViewIfNeeded();
  await pressMouse(button, 2);
}

/** Advances the page's clock in steps, those of the polling, until something is there. */
export async function passTimeUntil(
  { page }: Pick<ScenarioFixtures, 'page'>,
  isThere: () => boolean | Promise<boolean>,
): Promise<void> {
  const check = async (): Promise<boolean> => {
    const found = await isThere();
    if (!found) await page.clock.fastForward(5000);
    return found;
  };
  await expect.poll(check, { intervals: [100] }).toBe(true);
}

const unreachable = 'We could not reach the service. Check your connection and try again.';
const failing = 'The service had a problem. Try again in a moment.';

/** Whether there is no response, or one that has nothing to do with what the user entered. */
export const isTrouble = ({ status }: Fault): boolean => status === null || status >= 500;

/** A dialog is open with exactly this text, and the line about the service where the fault is its own; it is closed. */
export async function closeDialog(
  { page }: ScenarioFixtures,
  title: string,
  words: string,
  fault: Fault = rightResponse,
): Promise<void> {
  const dialog = page.getByRole('alertdialog', { name: title, exact: true });
  const more = isTrouble(fault) ? ` ${fault.status === null ? unreachable : failing}` : '';
  await expect(dialog).toHaveAccessibleDescription(words + more);
  await dialog.getByRole('button', { name: 'Ok', exact: true }).click();
  await expect(dialog).toBeHidden();
}

/** Opens the screen of a scenario in a browser without cookies, with a service that works. */
export async function reopen(fixtures: ScenarioFixtures, { open }: Pick<Scenario, 'open'>): Promise<void> {
  fixtures.service.clearFault();
  await fixtures.page.clock.resume();
  await fixtures.page.context().clearCookies();
  await open(fixtures);
}

/** Opens this page with a session. */
export async function openSettingsSignedIn(
  fixtures: ScenarioFixtures,
  path: string,
  tokens = tokensOf(),
): Promise<void> {
  await fixtures.cookies.leaveSession(tokens);
  await fixtures.page.goto(path);
}

/** A user without a second step is at the verify screen, having chosen a method. */
export async function openProof(fixtures: ScenarioFixtures, method: 'sms' | 'app'): Promise<void> {
  const { service, twoStep } = fixtures;
  service.prepare(calls.attributes, { data: { attributes: withoutSecondStep } });
  await openSettingsSignedIn(fixtures, '/account-settings');
  await twoStep.getStarted.click();
  await (method === 'sms' ? twoStep.textMessage : twoStep.authenticatorApp).click();
  await expect(twoStep.password).toBeVisible();
}

const withoutSecondStep = {
  email: 'hana@payments.example',
  authyActive: false,
  twoFactorActive: false,
  lastReset: null,
};
