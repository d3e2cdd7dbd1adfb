import { expect, type BrowserContext, type Locator } from '@playwright/test';

/** What a password manager keeps for a site. */
export interface Login {
  readonly username: string;
  readonly password: string;
}

/** A browser with a profile of its own, whose password manager works as its user's. */
export interface ManagedBrowser {
  readonly context: BrowserContext;
  /** Puts a login of this page into the manager, as if it had been saved on an earlier visit. */
  readonly keep: (origin: string, login: Login) => Promise<void>;
  /** All logins of the manager. */
  readonly kept: () => Promise<readonly Login[]>;
  /** Takes the login that the manager offers where the field is clicked; Firefox has filled in the only one. */
  readonly choose: (field: Pick<Locator, 'click' | 'inputValue'>) => Promise<void>;
  /** Whether the manager's question is shown. */
  readonly asks: () => Promise<boolean>;
  /** Waits for the manager's question whether to save or to update, and presses its main button. */
  readonly accept: () => Promise<void>;
  /** Closes the browser and deletes the profile. */
  readonly close: () => Promise<void>;
}

/**
 * Presses until the question has come and gone: browsers ignore presses on one that has only just appeared.
 *
 * @param ask - what brings the question; again as long as there is none: a manager ignores a field whose form it has not read yet
 * @param isAnswered - `false` if the question has gone for another reason, such as a request for passkeys that begins
 */
export async function answerQuestion(
  press: () => Promise<boolean>,
  ask: () => Promise<void> = () => Promise.resolve(),
  isAnswered: () => Promise<boolean> = () => Promise.resolve(true),
): Promise<void> {
  let seen = false;
  const hasGone = async (): Promise<boolean> => {
    const isThere = await press();
    seen ||= isThere;
    if (seen && !isThere && (await isAnswered())) return true;
    if (!isThere) await ask();
    return false;
  };
  await expect.poll(hasGone, { message: 'the manager asked, and was answered' }).toBe(true);
}
