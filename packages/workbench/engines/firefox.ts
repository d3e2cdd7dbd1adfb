import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { firefox } from '@playwright/test';
import {
  answerQuestion,
  type Login,
  type ManagedBrowser,
} from '../../../__tests__/journeys/managers/manager';
import type { Driver, Profile, UserSetting } from '../../../__tests__/journeys/support/engine';
import { BrowserScope } from './browserScope';

/** What a driver changes in a Firefox, and would hide faults of a sign-on page: blocked pop-ups, windows that refuse to close. */
const userSettings = {
  'remote.prefs.recommended': false,
  'dom.disable_open_during_load': true,
  'dom.allow_scripts_to_close_windows': false,
};

const launchOptions = {
  // Playwright's WebDriver BiDi: it drives a Firefox as it was released.
  channel: 'moz-firefox',
  executablePath: path.join(__dirname, 'startFirefox.mjs'),
  firefoxUserPrefs: userSettings,
};

const preferences: Readonly<Record<UserSetting, Readonly<Record<string, number | boolean>>>> = {
  'no cookies': { 'network.cookie.cookieBehavior': 2 },
  'no clipboard': { 'dom.allow_cut_copy': false },
  'third-party cookies': { 'network.cookie.cookieBehavior': 0 },
};

async function openProfile(setting: UserSetting, baseURL: string): Promise<Profile> {
  const folder = mkdtempSync(path.join(tmpdir(), 'profile-'));
  const firefoxUserPrefs = { ...userSettings, ...preferences[setting] };
  const context = await firefox.launchPersistentContext(folder, {
    ...launchOptions,
    baseURL,
    firefoxUserPrefs,
  });
  return {
    context,
    close: async () => {
      await context.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

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
async function openManaged(baseURL: string): Promise<ManagedBrowser> {
  const folder = mkdtempSync(path.join(tmpdir(), 'profile-'));
  const beside = path.join(folder, 'beside');
  const context = await firefox.launchPersistentContext(folder, {
    ...launchOptions,
    baseURL,
    args: ['--remote-allow-system-access'],
    env: { ...process.env, FIREFOX_BESIDE: beside },
    firefoxUserPrefs: {
      ...userSettings,
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

export const driver: Driver = {
  options: {
    browserName: 'firefox',
    channel: launchOptions.channel,
    launchOptions,
    // Screenshots of failures are off, because they add a style that the content-security policy forbids.
    screenshot: 'off',
  },
  openProfile,
  openManaged,
};
