import type { Transaction } from 'kysely';
import type { DoneResponse, ForgotPasswordRequest } from '@vestibule/contract/schema';
import { userColumns, type Tables } from '../database/tables.ts';
import { inTransaction } from '../database/transaction.ts';
import { usernameKey } from '../database/usernameKey.ts';
import { ServiceError } from '../errors.ts';
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
  const subject = digestOf(`reset-mail:${usernameKey(email)}`);
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
  for (const { uid, email: to, first_name: firstName, username, password_hash, disabled_at } of users) {
    if (disabled_at !== null) {
      await audit.record(db, { event, outcome: 'failure', uid, reason: 'disabled' });
      continue;
    }
    await audit.record(db, { event, outcome: 'success', uid });
    const addressee = { firstName, username };
    const mail = { channel: 'mail', uid } as const;
    if (!(await offersPassword(db, uid))) {
      const content = writeMail(to, noPasswordLetter(addressee, links));
      mails.push(await messages.write(db, { ...mail, kind: 'no-password', content }));
    } else if (password_hash !== null) {
      const link = await issueLink({ db, settings, audit }, { kind: 'reset-password', uid, isMagic: false });
      const content = writeMail(
        to,
        resetLetter(addressee, { url: link.url, seconds: links.resetSeconds }, links),
      );
      // Replaces an unsent mail whose link this one invalidates.
      const topic = `reset-password ${uid}`;
      const { expiresAt } = link;
      mails.push(await messages.write(db, { ...mail, kind: 'reset', topic, content, expiresAt }));
    }
  }
  return mails;
}

/** `db` is the transaction that removes the request. */
type ResetContext = Pick<ServiceContext, 'settings' | 'messages' | 'audit'> & {
  readonly db: Transaction<Tables>;
};
