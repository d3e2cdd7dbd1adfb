import { sql } from 'kysely';
import type { DoneAnswer, ForgotPasswordRequest } from '@contract/schema.gen';
import { withUserLocked } from '../accounts/lockUser';
import type { UserRow } from '../database/tables';
import { usernameKey } from '../database/usernameKey';
import { ServiceError } from '../errors';
import { digestOf } from '../limits/attemptKeys';
import { countMessage } from '../limits/messageCounts';
import { issueLink } from '../links/links';
import { writeMail } from '../mails/letter';
import { noPasswordLetter, resetLetter } from '../mails/letters';
import type { ServiceContext } from '../serviceContext';
import { offersPassword } from './offersPassword';

/** Reset mails that may be asked for with one address. */
const resetMails = { most: 5, windowSeconds: 3600 };

/**
 * `POST /password-reset/v1/forgot-password`. Before the answer, known and unknown addresses take the same steps: they are
 * counted. Whether there is an account is looked up afterwards, so that neither the answer nor its time tells. The mail
 * goes to the address of the account, never to the one that was entered.
 *
 * @throws ServiceError 429 for an address that was entered too often, with an account or without.
 */
export async function forgotPassword(
  context: ServiceContext,
  { email }: ForgotPasswordRequest,
): Promise<DoneAnswer> {
  const retryAfterSeconds = await countMessage(
    context,
    digestOf(`reset-mail:${usernameKey(email)}`),
    resetMails,
  );
  if (retryAfterSeconds !== null) {
    throw new ServiceError(
      429,
      'rate_limited',
      'Too many requests. Please try again later.',
      retryAfterSeconds,
    );
  }
  context.background.run('reset mail', () => mailAccountsOf(context, email));
  return {};
}

/** Several accounts may share a mailbox; each gets a mail of its own. */
async function mailAccountsOf(context: ServiceContext, email: string): Promise<void> {
  const users = await context.db
    .selectFrom('users')
    .selectAll()
    .where(sql`lower(email)`, '=', sql`lower(${email.trim()})`)
    .orderBy('created_at')
    .execute();
  const event = 'password-forgotten';
  if (users.length === 0) {
    await context.audit.record(context.db, { event, outcome: 'failure', uid: null, reason: 'not_found' });
  }
  for (const { uid } of users) await context.audit.record(context.db, { event, outcome: 'success', uid });
  // One by one, so that a mail that is not taken does not hold up the next.
  for (const user of users) context.background.run('reset mail', () => mailReset(context, user));
}

/** An invited user has no password yet and gets no mail: who invited can do so again. */
async function mailReset({ db, settings, audit }: ServiceContext, user: UserRow): Promise<void> {
  const { links, outbox } = settings;
  const addressee = { firstName: user.first_name, username: user.username };
  if (!(await offersPassword(db, user.uid))) {
    await outbox.sendMail(writeMail(user.email, noPasswordLetter(addressee, links)));
    return;
  }
  if (user.password_hash === null) return;
  const link = await withUserLocked(db, user.uid, (trx) =>
    issueLink({ db: trx, settings, audit }, { kind: 'reset-password', uid: user.uid, isMagic: false }),
  );
  if (link === null) return;
  const letter = resetLetter(addressee, { url: link.url, seconds: links.resetSeconds }, links);
  await outbox.sendMail(writeMail(user.email, letter));
}
