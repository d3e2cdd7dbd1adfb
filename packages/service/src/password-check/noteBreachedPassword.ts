import type { UserRow } from '../core/database/tables.ts';
import { inTransaction } from '../platform/database/transaction.ts';
import { digestOf } from '../core/limits/attemptKeys.ts';
import { countMessage } from '../core/limits/messageCounts.ts';
import type { Letter } from '../platform/mails/letter.ts';
import type { LinkOptions } from '../core/settings/linkOptions.ts';
import { greeting, hostOf, type Addressee } from '../core/mails/letters.ts';
import type { PasswordCheckContext } from './breachedPasswords.ts';
import { passwordCheckEvents } from './events.ts';
import { passwordCheckTexts } from './passwordCheck.messages.ts';

const oncePerMonth = { most: 1, windowSeconds: 30 * 86_400 };

/** The name of the work. */
export const noting = 'breached password';

/**
 * Records, after the response, a sign-in with a breached password, at most once in 30 days. With notices, the owner gets a mail.
 */
export function noteBreachedPassword(
  { audit, background, breachedPasswords, db, messages, settings }: PasswordCheckContext,
  { uid, email, first_name: firstName, username }: UserRow,
  password: string,
): Promise<void> {
  if (!settings.passwordCheck) return Promise.resolve();
  background.run(noting, async () => {
    if (!(await breachedPasswords.has(password))) return;
    const mail = await inTransaction(db, async (trx) => {
      const subject = digestOf(`breached-password:${uid}`);
      if ((await countMessage({ db: trx, settings }, subject, oncePerMonth)) !== null) return null;
      await audit.record(trx, { event: passwordCheckEvents['password-breached'], outcome: 'success', uid });
      if (!audit.tellsOwner) return null;
      const content = {
        to: email,
        letter: breachedPasswordLetter({ firstName, username }, settings.links),
      };
      return messages.write(trx, { channel: 'mail', kind: 'password-breached', uid, content });
    });
    messages.sendSoon(mail);
  });
  return Promise.resolve();
}

function breachedPasswordLetter(to: Addressee, links: LinkOptions): Letter {
  const { subject, known, change } = passwordCheckTexts.mail;
  return {
    subject,
    parts: [
      greeting(to.firstName),
      known(to.username, hostOf(links)),
      { url: `${links.signOnUrl}/reset-password-verify`, label: change },
    ],
  };
}
