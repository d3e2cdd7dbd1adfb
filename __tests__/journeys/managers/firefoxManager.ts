import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { firefox } from '@playwright/test';
import { firefoxOptions } from '../engines/engine';
import { answerQuestion, type Login, type ManagedBrowser } from './manager';
import { BrowserScope } from './browserScope';

/** Runs in the browser: adds a login. */
const add = `async (origin, username, password) => {
  const login = Cc['@mozilla.org/login-manager/loginInfo;1'].createInstance(Ci.nsILoginInfo);
  login.init(origin, origin, null, username, password, 'username', 'password');
  await Services.logins.addLoginAsync(login);
}`;

/** Runs in the browser: all logins. */
const list = `async () =>
  JSON.stringify((await Services.logins.getAllLogins()).map(({ username, password }) => ({ username, password })))`;

/** Runs in the browser: the question about a password, if one is shown; `pressed` also presses 'Save' or 'Update'. */
const ask = (pressed: boolean): string => `() => {
  for (const { PopupNotifications } of Services.wm.getEnumerator('navigator:browser')) {
    const { panel } = PopupNotifications;
    const question = panel.state === 'open' && panel.querySelector('#password-notification');
    if (!question) continue;
    if (${String(pressed)}) question.button.click();
    return 'asked';
  }
}`;

/** Starts Firefox with an empty profile and its password manager, which its driver switches off. */
export async function openFirefox(baseURL: string): Promise<ManagedBrowser> {
  const folder = mkdtempSync(path.join(tmpdir(), 'profile-'));
  const beside = path.join(folder, 'beside');
  const { channel, launchOptions } = firefoxOptions;
  const context = await firefox.launchPersistentContext(folder, {
    ...launchOptions,
    channel,
    baseURL,
    args: ['--remote-allow-system-access'],
    env: { ...process.env, FIREFOX_BESIDE: beside },
    firefoxUserPrefs: {
      ...launchOptions.firefoxUserPrefs,
      'signon.autofillForms': true,
      'signon.rememberSignons': true,
    },
  });
  const browser = await BrowserScope.open(beside);
  return {
    context,
    keep: async (origin, { username, password }) => {
      await browser.run(add, origin, username, password);
    },
    kept: async () => JSON.parse(await browser.run(list)) as readonly Login[],
    choose: async (field) => await field.click(),
    asks: async () => (await browser.run(ask(false))) !== '',
    accept: async () => await answerQuestion(async () => (await browser.run(ask(true))) !== ''),
    close: async () => {
      await context.close();
      browser.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
