import type { UserRow } from '../platform/database/tables.ts';
import { inTransaction } from '../platform/database/transaction.ts';
import { digestOf } from '../platform/limits/attemptKeys.ts';
import { countMessage } from '../platform/limits/messageCounts.ts';
import { writeMail, type Letter } from '../platform/mails/letter.ts';
import type { LinkOptions } from '../platform/settings/linkOptions.ts';
import { greeting, hostOf, type Addressee } from '../platform/mails/letters.ts';
import type { ServiceContext } from '../platform/serviceContext.ts';

const oncePerMonth = { most: 1, windowSeconds: 30 * 86_400 };

/**
 * Records, after the response, a sign-in with a breached password, at most once in 30 days. With notices, the owner gets a mail.
 */
export function noteBreachedPassword(
  {
    audit,
    background,
    breachedPasswords,
    db,
    messages,
    settings,
  }: Pick<ServiceContext, 'audit' | 'background' | 'breachedPasswords' | 'db' | 'messages' | 'settings'>,
  { uid, email, first_name: firstName, username }: UserRow,
  password: string,
): Promise<void> {
  if (!settings.passwordCheck) return Promise.resolve();
  background.run('breached password', async () => {
    if (!(await breachedPasswords.has(password))) return;
    const mail = await inTransaction(db, async (trx) => {
      const subject = digestOf(`breached-password:${uid}`);
      if ((await countMessage({ db: trx, settings }, subject, oncePerMonth)) !== null) return null;
      await audit.record(trx, { event: 'password-breached', outcome: 'success', uid });
      if (!audit.tellsOwner) return null;
      const content = writeMail(email, breachedPasswordLetter({ firstName, username }, settings.links));
      return messages.write(trx, { channel: 'mail', kind: 'password-breached', uid, content });
    });
    messages.sendSoon(mail);
  });
  return Promise.resolve();
}

function breachedPasswordLetter(to: Addressee, links: LinkOptions): Letter {
  return {
    subject: 'Your password appeared in a data breach',
    parts: [
      greeting(to.firstName),
      `The password of your account ${to.username} at ${hostOf(links)} is on a list of passwords that others know, from a data breach elsewhere or because many people use it. Choose another one, here and wherever you use it:`,
      { url: `${links.signOnUrl}/reset-password-verify`, label: 'Change your password' },
    ],
  };
}
