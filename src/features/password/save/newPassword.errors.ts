import type { ApiError } from '@shared/api/apiError';
import { passwordMessages } from '../password.messages';
import { meetsRules } from '../passwordRules';
import type { NewPassword } from './newPassword.slice';

/** The forms that set a password; each says in its own words what is wrong with one (specification §5). */
export type PasswordForm = 'reset' | 'activate' | 'change';

const { errors } = passwordMessages;

/** What is wrong with a new password before it is sent; `null`: nothing. That both fields agree is the service's to say. */
export function describeUnfit(form: PasswordForm, { password }: NewPassword): string | null {
  if (password === '') return errors.empty;
  if (meetsRules(password)) return null;
  return form === 'change' ? errors.requirements : errors.format;
}

/** Words for a password that was not saved (specification §8). */
export function describeNotSaved(form: PasswordForm, error: ApiError, entry: NewPassword): string {
  if (form === 'change') return entry.password === entry.confirm ? errors.fallback : errors.mismatch;
  const isUnanswered = error.kind === 'network' || error.kind === 'timeout';
  return error.details.serverMessage ?? (isUnanswered ? errors.network : errors.fallback);
}
