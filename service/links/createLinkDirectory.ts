import { findByUsername, offersBasic, type AccountRecord } from '../accounts/accounts';
import { withUserLocked } from '../accounts/lockUser';
import { writeMail, type Letter } from '../mails/letter';
import { apiInvitationLetter, invitationLetter, magicLetter, resetLetter } from '../mails/letters';
import { hashOfToken } from '../security/opaqueTokens';
import type { ServiceContext } from '../serviceContext';
import { applicationUrlOf, needsSecondStep } from './exchangeMagicLink';
import { LinkNotGiven, type LinkDirectory } from './linkDirectory';
import { isUntouched, issueLink, type IssuedLink, type LinkPurpose } from './links';

/** The administrator's links over the service's own tables. */
export function createLinkDirectory(context: ServiceContext): LinkDirectory {
  const { db, settings, audit } = context;
  const { links } = settings;

  const post = (to: string, letter: Letter): Promise<void> => settings.outbox.sendMail(writeMail(to, letter));
  const issueFor = async (uid: string, purpose: LinkPurpose): Promise<IssuedLink> => {
    const link = await withUserLocked(db, uid, (trx) => issueLink({ db: trx, settings, audit }, purpose));
    if (link === null) throw new LinkNotGiven('The account was removed just now.');
    return link;
  };
  const accountOf = async (username: string): Promise<AccountRecord> => {
    const account = await findByUsername(db, username);
    if (account === null) throw new LinkNotGiven('There is no account of this username.');
    return account;
  };

  return {
    inviteUser: async (username, { magic = false, mail = false } = {}) => {
      const account = await accountOf(username);
      const { uid, email, username: name } = account.user;
      checkInvitable(account);
      const { url, ...rest } = await issueFor(uid, { kind: 'activate', uid, isMagic: magic });
      if (mail) await post(email, invitationLetter(name, { url, seconds: links.invitationSeconds }, links));
      return { url, ...rest };
    },
    inviteApiUser: async (name, { magic = false, mailTo } = {}) => {
      const purpose = { kind: 'secret-key', apiUser: name, isMagic: magic } as const;
      const { url, ...rest } = await issueLink({ db, settings, audit }, purpose);
      const letter = apiInvitationLetter(name, { url, seconds: links.invitationSeconds }, links);
      if (mailTo !== undefined) await post(mailTo, letter);
      return { url, ...rest };
    },
    resetLink: async (username, { magic = false, mail = false } = {}) => {
      const account = await accountOf(username);
      const { uid, email } = account.user;
      if (!hasPassword(account)) throw new LinkNotGiven('The account has no password to reset.');
      const { url, ...rest } = await issueFor(uid, { kind: 'reset-password', uid, isMagic: magic });
      const letter = resetLetter(addressee(account), { url, seconds: links.resetSeconds }, links);
      if (mail) await post(email, letter);
      return { url, ...rest };
    },
    magicLink: async (username, application, { mail = false, redirectUrl = null } = {}) => {
      const account = await accountOf(username);
      const { uid, email } = account.user;
      checkEnterable(account, application, redirectUrl);
      const purpose = { kind: 'application', uid, application, redirectUrl, isMagic: true } as const;
      const { url, ...rest } = await issueFor(uid, purpose);
      const letter = magicLetter(addressee(account), { url, seconds: links.magicLinkSeconds }, links);
      if (mail) await post(email, letter);
      return { url, ...rest };
    },
    isLinkUntouched: (id) => isUntouched({ db, settings }, id),
    isApiSecret: async (apiKey, apiSecret) => {
      const found = await db
        .selectFrom('api_credentials')
        .select('api_key')
        .where('api_key', '=', apiKey)
        .where('secret_hash', '=', hashOfToken(apiSecret))
        .executeTakeFirst();
      return found !== undefined;
    },
  };
}

function addressee({ user }: AccountRecord): { readonly firstName: string; readonly username: string } {
  return { firstName: user.first_name, username: user.username };
}

function hasPassword(account: AccountRecord): boolean {
  return offersBasic(account) && account.user.password_hash !== null;
}

function checkInvitable(account: AccountRecord): void {
  if (!offersBasic(account)) throw new LinkNotGiven('The account does not sign in with a password.');
  if (hasPassword(account)) throw new LinkNotGiven('The account is active: it has a password.');
}

function checkEnterable(account: AccountRecord, application: string, redirectUrl: string | null): void {
  if (needsSecondStep(account)) {
    throw new LinkNotGiven('A magic link would go round the two-step verification of the account.');
  }
  const applicationUrl = applicationUrlOf(account.user.personas, application);
  if (applicationUrl === null) throw new LinkNotGiven('The account has no persona in this application.');
  if (redirectUrl !== null && URL.parse(redirectUrl)?.origin !== new URL(applicationUrl).origin) {
    throw new LinkNotGiven('The page is not one of the application.');
  }
}
