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
import type { Fault } from './faults';
import type { HostileService } from './HostileService';

/** Fixtures of a journey, and the service that the page meets instead of the world's. */
export interface Stage {
  readonly page: Page;
  readonly cookies: FamilyCookies;
  readonly login: LoginPage;
  readonly settings: AccountSettingsPage;
  readonly codes: CodePage;
  readonly twoStep: TwoStepSetup;
  readonly passwords: PasswordPage;
  readonly openProvider: (press: () => Promise<void>) => Promise<ProviderWindow>;
  readonly service: HostileService;
  /** What the page warned of on its console since the last fault began. */
  readonly warnings: string[];
}

/**
 * What a person meets after a fault: these words, or the ordinary way on, where an answer that says nothing is one that
 * refuses nothing.
 */
export type Outcome = { readonly says: string } | 'goes on';

/** A screen that makes one call, and what becomes of it when the call goes wrong. */
export interface Walk {
  /** Head of the table's row. */
  readonly name: string;
  readonly call: ServiceCall;
  /** What the user is told (docs/behaviour.md#errors). */
  readonly outcome: (fault: Fault) => Outcome;
  /** Brings the screen up. */
  readonly open: (stage: Stage) => Promise<void>;
  /** Makes the call; what is pressed is pressed twice. */
  readonly press: (stage: Stage) => Promise<void>;
  /** Finds these words, and puts them away where the person has to. */
  readonly hear: (stage: Stage, words: string, fault: Fault) => Promise<void>;
  /** Finds what comes when the call works; a walk without it is one whose screen ends with the call. */
  readonly goOn?: (stage: Stage) => Promise<void>;
  /** What comes then is shown for a moment only: the page's clock is stopped before it, and started by `openAnew`. */
  readonly goesOnBriefly?: true;
}

/** Whatever the fault, these words. */
export const always = (words: string) => (): Outcome => ({ says: words });

/** The server's message where there is one. */
export const serverOr =
  (words: string) =>
  ({ message = words }: Fault): Outcome => ({ says: message });

/** Calls whose answer the specification leaves open: with a good status, an empty one or one of any type is a success. */
export const asItComes =
  (outcome: (fault: Fault) => Outcome) =>
  (fault: Fault): Outcome =>
    fault.name === 'empty' || fault.name === 'types' ? 'goes on' : outcome(fault);

/** Two presses as fast as the mouse can, on a button that can be pressed. */
export async function pressTwice(button: Locator): Promise<void> {
  await expect(button).toBeEnabled();
  await button.scrollIntoViewIfNeeded();
  await pressMouse(button, 2);
}

/** Moves the page's clock on in steps, those of the polling, until something is there. */
export async function passTimeUntil(
  { page }: Pick<Stage, 'page'>,
  isThere: () => boolean | Promise<boolean>,
): Promise<void> {
  const look = async (): Promise<boolean> => {
    const found = await isThere();
    if (!found) await page.clock.fastForward(5000);
    return found;
  };
  await expect.poll(look, { intervals: [100] }).toBe(true);
}

/** A dialog stands open, says exactly this, and is put away. */
export async function closeDialog({ page }: Stage, title: string, words: string): Promise<void> {
  const dialog = page.getByRole('alertdialog', { name: title, exact: true });
  await expect(dialog.getByText(words, { exact: true })).toBeVisible();
  await dialog.getByRole('button', { name: 'Ok', exact: true }).click();
  await expect(dialog).toBeHidden();
}

/** The screen of a walk comes up in a browser that knows nobody, with a service that works. */
export async function openAnew(stage: Stage, { open }: Pick<Walk, 'open'>): Promise<void> {
  stage.service.heal();
  await stage.page.clock.resume();
  await stage.page.context().clearCookies();
  await open(stage);
}

/** Somebody is signed in, and this page of theirs is opened. */
export async function openSignedIn(stage: Stage, path: string, tokens = tokensOf()): Promise<void> {
  await stage.cookies.leaveSession(tokens);
  await stage.page.goto(path);
}

/** Somebody without a second step is at the screen that asks who they are, having chosen one. */
export async function openProof(stage: Stage, method: 'sms' | 'app'): Promise<void> {
  const { service, twoStep } = stage;
  service.prepare(calls.attributes, { data: { attributes: withoutSecondStep } });
  await openSignedIn(stage, '/account-settings');
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
