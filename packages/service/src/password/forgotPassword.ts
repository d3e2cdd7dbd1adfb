import type { Transaction } from 'kysely';
import type { DoneResponse, ForgotPasswordRequest } from '@vestibule/contract/schema';
import { withUserLocked } from '../accounts/lockUser.ts';
import { userColumns, type Tables, type UserRow } from '../database/tables.ts';
import { inTransaction } from '../database/transaction.ts';
import { usernameKey } from '../database/usernameKey.ts';
import { newPasswordRequired, ServiceError } from '../errors.ts';
import { digestOf } from '../limits/attemptKeys.ts';
import { countMessage } from '../limits/messageCounts.ts';
import { issueLink } from '../links/links.ts';
import { writeMail } from '../mails/letter.ts';
import { noPasswordLetter, resetLetter } from '../mails/letters.ts';
import type { ForgottenPassword } from '../messages/messageStore.ts';
import type { WrittenMessage } from '../messages/messages.ts';
import type { ServiceContext } from '../serviceContext.ts';
import { offersPassword } from './offersPassword.ts';

/** Reset mails per address. */
const resetMails = { most: 5, windowSeconds: 3600 };

const resetSubject = (email: string): string => digestOf(`reset-mail:${usernameKey(email)}`);

/** A request that is not handled within this time (the database is unavailable) is dropped. */
const requestMilliseconds = 3_600_000;

/**
 * `POST /password-reset/v1/forgot-password`. Known and unknown addresses take the same steps before the response: the
 * request is counted and stored. The account is looked up afterwards, so that neither the response nor its time
 * reveals whether it exists. The mail goes to the address of the account, never to the entered one.
 *
 * @throws ServiceError 429 for an address that was entered too often, with or without an account.
 */
export async function forgotPassword(
  { db, settings, messages, audit }: Pick<ServiceContext, 'db' | 'settings' | 'messages' | 'audit'>,
  { email }: ForgotPasswordRequest,
): Promise<DoneResponse> {
  const subject = resetSubject(email);
  const request = await inTransaction(db, async (trx) => {
    const retryAfterSeconds = await countMessage({ db: trx, settings }, subject, resetMails);
    if (retryAfterSeconds !== null) throw tooManyRequests(retryAfterSeconds);
    const expiresAt = new Date(settings.now() + requestMilliseconds);
    return messages.write(trx, {
      channel: 'forgot',
      kind: 'forgot',
      // Repeated calls (a retry, a double click) are one request.
      topic: subject,
      content: { email, origin: audit.origin },
      expiresAt,
    });
  });
  messages.sendSoon(request);
  return {};
}

function tooManyRequests(retryAfterSeconds: number): ServiceError {
  return new ServiceError(
    429,
    'rate_limited',
    'Too many requests. Please try again later.',
    retryAfterSeconds,
  );
}

/**
 * Writes the mails for an address that was entered at 'forgot password'. Several accounts may have the same address;
 * each gets a mail. Invited users without a password and disabled accounts get none.
 */
export async function writeResetMails(
  { db, settings, messages, audit }: ResetContext,
  { email }: ForgottenPassword,
): Promise<readonly WrittenMessage[]> {
  const { links } = settings;
  const key = usernameKey(email);
  const found = await db
    .selectFrom('users')
    .select(userColumns)
    .where('email_key', '=', key)
    .orderBy('created_at')
    .forNoKeyUpdate()
    .execute();
  // The previous release may have changed `email` without its key.
  const users = found.filter((user) => usernameKey(user.email) === key);
  const event = 'password-forgotten';
  if (users.length === 0) {
    await audit.record(db, { event, outcome: 'failure', uid: null, reason: 'not_found' });
  }
  const mails: WrittenMessage[] = [];
  for (const user of users) {
    const { uid, email: to, first_name: firstName, username } = user;
    if (user.disabled_at !== null) {
      await audit.record(db, { event, outcome: 'failure', uid, reason: 'disabled' });
      continue;
    }
    await audit.record(db, { event, outcome: 'success', uid });
    if (!(await offersPassword(db, uid))) {
      const content = writeMail(to, noPasswordLetter({ firstName, username }, links));
      mails.push(await messages.write(db, { channel: 'mail', uid, kind: 'no-password', content }));
    } else if (user.password_hash !== null) {
      mails.push(await writeResetMail({ db, settings, messages, audit }, user));
    }
  }
  return mails;
}

/** Issues a reset link and writes its mail. */
async function writeResetMail(
  { db, settings, messages, audit }: ResetContext,
  { uid, email: to, first_name: firstName, username }: UserRow,
): Promise<WrittenMessage> {
  const { links } = settings;
  const { url, expiresAt } = await issueLink(
    { db, settings, audit },
    { kind: 'reset-password', uid, isMagic: false },
  );
  const content = writeMail(
    to,
    resetLetter({ firstName, username }, { url, seconds: links.resetSeconds }, links),
  );
  // Replaces an unsent mail whose link this one invalidates.
  const topic = `reset-password ${uid}`;
  return messages.write(db, { channel: 'mail', uid, kind: 'reset', topic, content, expiresAt });
}

/**
 * Refuses a sign-in with the right password where an administrator requires a new one (`Directory.requireNewPassword`),
 * and mails a reset link, as often as 'forgot password' does.
 *
 * @throws ServiceError 401 always.
 */
export async function refuseUntilReset(
  { db, settings, messages, audit }: Pick<ServiceContext, 'db' | 'settings' | 'messages' | 'audit'>,
  { uid, email }: UserRow,
): Promise<never> {
  const mail = await withUserLocked(db, uid, async (trx, user) => {
    const isTooOften = await countMessage({ db: trx, settings }, resetSubject(email), resetMails);
    return isTooOften === null ? writeResetMail({ db: trx, settings, messages, audit }, user) : null;
  });
  if (mail !== null) messages.sendSoon(mail);
  throw newPasswordRequired();
}

/** `db` is the transaction that removes the request. */
type ResetContext = Pick<ServiceContext, 'settings' | 'messages' | 'audit'> & {
  readonly db: Transaction<Tables>;
};
