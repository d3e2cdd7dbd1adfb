import type { DoneResponse, ForgotPasswordRequest } from '@vestibule/contract/schema';
import { userColumns } from '../core/database/tables.ts';
import { inTransaction } from '../platform/database/transaction.ts';
import { usernameKey } from '../core/database/usernameKey.ts';
import { ServiceError } from '../platform/errors.ts';
import { countMessage } from '../core/limits/messageCounts.ts';
import { resetMails, resetSubject, writeResetMail } from '../links/resetMail.ts';
import { noPasswordLetter } from '../core/mails/letters.ts';
import type { RequestContent } from '../core/messages/messageStore.ts';
import type { WrittenMessage } from '../core/messages/messages.ts';
import type { MailRequest, ServiceContext, TransactionContext } from '../core/context.ts';
import { httpTexts } from '../platform/errors.messages.ts';
import { passwordEvents } from './events.ts';
import { offersPassword } from './offersPassword.ts';

/** A request to reset the password of the accounts with this address, if there are any. */
export interface ForgottenPassword extends RequestContent {
  readonly email: string;
  /** The language of the caller. */
  readonly language?: string | undefined;
}

export const forgotRequest: MailRequest<ForgottenPassword> = { name: 'forgot', handle: writeResetMails };

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
  { db, settings, messages, audit, language }: ServiceContext,
  { email }: ForgotPasswordRequest,
): Promise<DoneResponse> {
  const subject = resetSubject(email);
  const request = await inTransaction(db, async (trx) => {
    const retryAfterSeconds = await countMessage({ db: trx, settings }, subject, resetMails);
    if (retryAfterSeconds !== null) throw tooManyRequests(retryAfterSeconds);
    const expiresAt = new Date(settings.now() + requestMilliseconds);
    return messages.write(trx, {
      channel: forgotRequest,
      kind: 'forgot',
      // Repeated calls (a retry, a double click) are one request.
      topic: subject,
      content: { email, origin: audit.origin, language },
      expiresAt,
    });
  });
  messages.sendSoon(request);
  return {};
}

function tooManyRequests(retryAfterSeconds: number): ServiceError {
  return new ServiceError(429, 'rate_limited', httpTexts.tooManyRequests, retryAfterSeconds);
}

/**
 * Writes the mails for an address that was entered at 'forgot password'. Several accounts may have the same address;
 * each gets a mail. Invited users without a password and disabled accounts get none. The language of the request applies only
 * to these mails and is not stored, because anyone who knows the address can make the request. `db` is the transaction that removes the request.
 */
async function writeResetMails(
  context: TransactionContext,
  { email, language }: ForgottenPassword,
): Promise<readonly WrittenMessage[]> {
  const { db, settings, messages, audit } = context;
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
  const event = passwordEvents['password-forgotten'];
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
      const content = { to, letter: noPasswordLetter({ firstName, username }, links) };
      mails.push(await messages.write(db, { channel: 'mail', uid, kind: 'no-password', content, language }));
    } else if (user.password_hash !== null) {
      mails.push(await writeResetMail({ ...context, language }, user));
    }
  }
  return mails;
}
