import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium } from '@playwright/test';
import { userBrowser } from '../support/userBrowser';
import { BrowserWindow } from './browserWindow';
import { answerQuestion, type Login, type ManagedBrowser } from './manager';

/** The API of Chromium's own page about passwords. */
interface PasswordsPrivate {
  readonly addPassword: (login: object) => Promise<void>;
  readonly getSavedPasswordList: () => Promise<readonly { readonly id: number }[]>;
  readonly requestCredentialsDetails: (ids: readonly number[]) => Promise<readonly Login[]>;
}
declare const chrome: { readonly passwordsPrivate: PasswordsPrivate };

const passwordsPage = 'chrome://password-manager/passwords';

/** As Chromium's code calls them: the bubble that asks whether to save or to update, a button, and a line of the list below a field. */
const question = 'PasswordSaveUpdateView';
const button = 'MdTextButton';
const suggestion = 'PopupRowView';

/** Starts Chromium with an empty profile, as its user would: Playwright's mark of automation switches its password manager off. */
export async function openChromium(baseURL: string): Promise<ManagedBrowser> {
  const folder = mkdtempSync(path.join(tmpdir(), 'profile-'));
  const { args = [], ignoreDefaultArgs = [], ...launch } = userBrowser();
  const context = await chromium.launchPersistentContext(folder, {
    ...launch,
    baseURL,
    ignoreDefaultArgs: [...(ignoreDefaultArgs as string[]), '--enable-automation'],
    args: [...args, '--enable-ui-devtools=0', '--enable-features=ui-debug-tools-enable-synthetic-events'],
  });
  const port = await readFile(path.join(folder, 'UIDevToolsActivePort'), 'utf8');
  const window = await BrowserWindow.open(Number(port.split('\n')[0]));
  const passwords = async <Result>(
    task: (argument: object) => Promise<Result>,
    argument: object = {},
  ): Promise<Result> => {
    const page = await context.newPage();
    await page.goto(passwordsPage);
    const result = await page.evaluate(task, argument);
    await page.close();
    return result;
  };
  return {
    context,
    keep: async (origin, login) => {
      const entry = { ...login, url: `${origin}/`, note: '', useAccountStore: false };
      await passwords(async (added) => await chrome.passwordsPrivate.addPassword(added), entry);
    },
    kept: async () =>
      await passwords(async () => {
        const ids = (await chrome.passwordsPrivate.getSavedPasswordList()).map(({ id }) => id);
        // An empty list is refused.
        const details = ids.length > 0 ? await chrome.passwordsPrivate.requestCredentialsDetails(ids) : [];
        return details.map(({ username, password }) => ({ username, password }));
      }),
    choose: async (field) =>
      await answerQuestion(
        async () => await window.press(suggestion, suggestion),
        async () => await field.click(),
        async () => (await field.inputValue()) !== '',
      ),
    asks: async () => await window.shows(question),
    // Its last button is the main one.
    accept: async () => await answerQuestion(async () => await window.press(question, button)),
    close: async () => {
      window.close();
      await context.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
