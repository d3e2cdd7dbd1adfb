import { writeMail } from '../mails/letter';
import { wrongCodesLetter, wrongPasswordsLetter } from '../mails/letters';
import type { ServiceContext } from '../serviceContext';
import { digestOf, type AttemptKey } from './attemptKeys';
import { countMessage } from './messageCounts';

const oneADay = { most: 1, windowSeconds: 86_400 };

/**
 * Tells the owner that the tries of a day were used up, at most once a day for passwords and once for codes. After the
 * answer, so that its time does not tell whether there is an owner. Codes of a set-up are entered by who is signed in.
 */
export function warnOwner(
  context: Pick<ServiceContext, 'background' | 'db' | 'settings'>,
  { kind, uid }: AttemptKey,
): void {
  const { background, db, settings } = context;
  settings.logger.warn('tries of a day used up', { kind, uid });
  if (uid === null || kind === 'setup') return;
  background.run('guess warning', async () => {
    if ((await countMessage(context, digestOf(`guess-warning:${kind}:${uid}`), oneADay)) !== null) return;
    const user = await db
      .selectFrom('users')
      .select(['email', 'first_name', 'username'])
      .where('uid', '=', uid)
      .executeTakeFirst();
    if (user === undefined) return;
    const addressee = { firstName: user.first_name, username: user.username };
    const letter = kind === 'password' ? wrongPasswordsLetter : wrongCodesLetter;
    await settings.outbox.sendMail(writeMail(user.email, letter(addressee, settings.now(), settings.links)));
  });
}
