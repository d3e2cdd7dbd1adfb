import type { ServiceContext } from '../core/context.ts';
import { formsOf } from '../platform/security/passwords.ts';
import type { PasswordCheckSettings } from './settings.ts';
import { isInPasswordFilter } from './passwordFilter.ts';

/** Passwords that the extension `password-check` refuses. */
export interface BreachedPasswords {
  readonly has: (password: string) => Promise<boolean>;
}

export interface PasswordCheckContext extends ServiceContext {
  readonly settings: PasswordCheckSettings;
  readonly breachedPasswords: BreachedPasswords;
}

/**
 * The imported list, and 49,000 common passwords of zxcvbn-ts (MIT), which are compared regardless of case. No password
 * leaves the process. A list that cannot be read is logged and refuses nothing.
 */
export async function loadBreachedPasswords({
  passwordCheck,
  passwordList,
  logger,
}: Pick<PasswordCheckSettings, 'passwordCheck' | 'passwordList' | 'logger'>): Promise<BreachedPasswords> {
  if (!passwordCheck) return { has: () => Promise.resolve(false) };
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  const common: ReadonlySet<unknown> = new Set(dictionary['passwords-common']);
  const isImported = async (password: string): Promise<boolean> => {
    if (passwordList === undefined) return false;
    try {
      return await isInPasswordFilter(passwordList, password);
    } catch (error) {
      const reason = error instanceof Error ? error.message : 'unknown';
      logger.error('the list of breached passwords cannot be read', { reason });
      return false;
    }
  };
  // Logs a missing list at the start.
  await isImported('');
  return {
    has: async (password) => {
      for (const form of formsOf(password))
        if (common.has(form.toLowerCase()) || (await isImported(form))) return true;
      return false;
    },
  };
}
