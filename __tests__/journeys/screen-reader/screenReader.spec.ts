import { isDeepStrictEqual } from 'node:util';
import { wrongCode, textedCode } from '../support/codes';
import type { LocalEnvironment } from '../support/environment';
import { expect, test } from '../support/test';
import { password, users } from '../support/users';
import { Orca, type Browser, type IsAll } from './orca';
import { readTranscript, tidy, writeTranscript, type Step } from './transcript';

/** A journey by keyboard, as it is written down. */
class Hearing {
  readonly steps: Step[] = [];
  /** Why the first step that sounds different does so. */
  report = '';

  constructor(
    readonly orca: Orca,
    readonly environment: LocalEnvironment,
    private readonly written: readonly Step[],
  ) {}

  /** Presses the keys, and notes what is said. */
  async press(did: string, ...keys: readonly string[]): Promise<void> {
    if (keys.length > 0) this.orca.press(...keys);
    const { length } = this.steps;
    const expected = this.written[length]?.heard;
    // A dialog may be read again, and the boxes behind that of a wrong code are red for 1.5 s.
    const long = !expected || length === this.written.length - 1 || expected.includes('Ok push button.');
    const isAll: IsAll = (said) =>
      expected ? isDeepStrictEqual(tidy(said), expected) : tidy(said).length > 0;
    const heard = tidy(await this.orca.listen(isAll, { long }));
    this.steps.push({ did, heard });
    if (expected && this.report === '' && !isDeepStrictEqual(heard, expected))
      this.report = [`${did}, in Orca's log:`, ...this.orca.heardFrom.slice(0, 150)].join('\n');
  }

  /** Goes to a button or link with Tab, and presses Enter there. */
  async follow(name: string, { backwards = false } = {}): Promise<void> {
    await this.orca.pressUntil(backwards ? 'shift+Tab' : 'Tab', name);
    await this.press(name, 'Return');
  }

  async enter(text: string, did: string): Promise<void> {
    this.orca.type(text);
    await this.press(did, 'Return');
  }

  /** Key by key: each ends what Orca is about to say. */
  async choosePassword(): Promise<void> {
    this.orca.type('Walnut7731');
    await this.press('A new password, Tab', 'Tab');
    await this.press('Tab', 'Tab');
  }

  async signIn(username: string): Promise<void> {
    await this.enter(username, 'Username, Enter');
    await this.enter(password, 'Password, Enter');
  }
}

const journeys: Readonly<Record<string, (hearing: Hearing) => Promise<void>>> = {
  'Sign-in': async (hearing) => {
    await hearing.enter(users.several, 'Username, Enter');
    await hearing.follow(users.several, { backwards: true });
    await hearing.press('The same username, Enter', 'Return');
    await hearing.enter('wrong', 'A wrong password, Enter');
    await hearing.press('Ok', 'Return');
    await hearing.enter(password, 'Password, Enter');
    await hearing.follow('Logout', { backwards: true });
  },
  'Second step': async (hearing) => {
    const phone = '+12025550143';
    await hearing.signIn(users.textMessage);
    const code = await textedCode(hearing.environment, phone);
    await hearing.enter(wrongCode(code), 'A wrong code, Enter');
    await hearing.press('Ok', 'Return');
    await hearing.follow('Back to Login', { backwards: true });
  },
  'Set-up by text message': async (hearing) => {
    await hearing.signIn(users.several);
    await hearing.follow('Get Started');
    await hearing.press('Back', 'XF86Back');
    await hearing.press('Forward', 'XF86Forward');
    await hearing.follow('SMS Text Message');
    await hearing.enter(password, 'Password, Enter');
    await hearing.enter('2015550123', 'A phone number, Enter');
    hearing.orca.type(await textedCode(hearing.environment, '+12015550123'));
    await hearing.press('The sixth digit of the code');
  },
  Reset: async (hearing) => {
    await hearing.enter(users.several, 'Username, Enter');
    await hearing.follow('Forgot your password?');
    await hearing.enter(users.several, 'E-mail, Enter');
    await hearing.follow('Back to Login', { backwards: true });
    await hearing.orca.open(
      await hearing.environment.mailedLink(users.several),
      'password text | New password',
    );
    await hearing.choosePassword();
    await hearing.enter('Walnut7731', 'The password again, Enter');
  },
  Settings: async (hearing) => {
    await hearing.signIn(users.several);
    await hearing.follow('Change Password');
    await hearing.enter(password, 'Password, Enter');
    await hearing.choosePassword();
    await hearing.enter('Walnut7731', 'The password again, Enter');
  },
};

for (const browser of ['chromium', 'firefox'] as const satisfies readonly Browser[])
  for (const [journey, walk] of Object.entries(journeys))
    test(
      `${journey} with Orca in ${browser} sounds as it is written`,
      { tag: '@desktop' },
      async ({ environment }) => {
        // A screen reader may speak late, more so on a busy machine.
        test.setTimeout(600_000);
        const isWritten = process.env['UPDATE_TRANSCRIPT'] === '1';
        const written = readTranscript(journey, browser);
        const orca = await Orca.open(browser, `${environment.origin('app')}/login`);
        const hearing = new Hearing(orca, environment, isWritten ? [] : written);
        try {
          await walk(hearing);
        } finally {
          orca.close();
        }
        if (isWritten) writeTranscript(journey, browser, hearing.steps);
        else expect(hearing.steps, hearing.report).toEqual(written);
      },
    );
