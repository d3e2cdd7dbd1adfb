import type { Kysely, Transaction } from 'kysely';
import { findByUsername, offersBasic, type AccountRecord } from '../accounts/accounts.ts';
import { withAnyUserLocked } from '../accounts/lockUser.ts';
import type { Tables } from '../core/database/tables.ts';
import { inTransaction } from '../platform/database/transaction.ts';
import type { Letter } from '../platform/mails/letter.ts';
import { apiInvitationLetter, invitationLetter, magicLetter, resetLetter } from '../core/mails/letters.ts';
import { hashOfToken } from '../platform/security/opaqueTokens.ts';
import type { ServiceContext } from '../core/context.ts';
import { linkEvents } from './events.ts';
import { applicationUrlOf, needsSecondStep } from './exchangeMagicLink.ts';
import { LinkNotGiven, type LinkDirectory } from './linkDirectory.ts';
import { closeApiInvitations, isUntouched, issueLink, type IssuedLink, type LinkPurpose } from './links.ts';

export function createLinkDirectory(context: ServiceContext): LinkDirectory {
  const { db, settings, audit } = context;
  const { links } = settings;

  return {
    inviteUser: async (username, { magic = false, mail = false, language } = {}) => {
      const account = await accountOf(db, username);
      const { uid, email: to, username: name } = account.user;
      checkInvitable(account);
      const letter = (url: string): Letter =>
        invitationLetter(name, { url, seconds: links.invitationSeconds }, links);
      const purpose = { kind: 'activate', uid, isMagic: magic } as const;
      return give(context, uid, purpose, mail ? { to, kind: 'invitation', letter, language } : null);
    },
    inviteApiUser: async (name, { magic = false, mailTo: to, language } = {}) => {
      const letter = (url: string): Letter =>
        apiInvitationLetter(name, { url, seconds: links.invitationSeconds }, links);
      const mailed = to === undefined ? {} : { mailTo: to };
      const purpose = { kind: 'secret-key', apiUser: name, isMagic: magic, ...mailed } as const;
      const mail = to === undefined ? null : { to, kind: 'api-invitation', letter, language };
      return give(context, null, purpose, mail);
    },
    reset: async (username, { magic = false, mail = false, language } = {}) => {
      const account = await accountOf(db, username);
      const { uid, email: to } = account.user;
      if (!hasPassword(account)) throw new LinkNotGiven('The account has no password to reset.');
      const letter = (url: string): Letter =>
        resetLetter(addressee(account), { url, seconds: links.resetSeconds }, links);
      const purpose = { kind: 'reset-password', uid, isMagic: magic } as const;
      return give(context, uid, purpose, mail ? { to, kind: 'reset', letter, language } : null);
    },
    magic: async (username, application, { mail = false, redirectUrl = null, language } = {}) => {
      const account = await accountOf(db, username);
      const { uid, email: to } = account.user;
      checkEnterable(account, application, redirectUrl);
      const letter = (url: string): Letter =>
        magicLetter(addressee(account), { url, seconds: links.magicLinkSeconds }, links);
      const purpose = { kind: 'application', uid, application, redirectUrl, isMagic: true } as const;
      return give(context, uid, purpose, mail ? { to, kind: 'magic-link', letter, language } : null);
    },
    isUntouched: (id) => isUntouched(context, id),
    isApiSecret: async (apiKey, apiSecret) => {
      const found = await db
        .selectFrom('api_credentials')
        .select('api_key')
        .where('api_key', '=', apiKey)
        .where('secret_hash', '=', hashOfToken(apiSecret))
        .executeTakeFirst();
      return found !== undefined;
    },
    apiKeys: async () => {
      const rows = await db
        .selectFrom('api_credentials')
        .select(['api_key', 'api_user', 'created_at'])
        .orderBy('created_at')
        .execute();
      return rows.map((row) => ({ apiKey: row.api_key, apiUser: row.api_user, createdAt: row.created_at }));
    },
    revokeApiKeys: (choice) =>
      inTransaction(db, async (trx) => {
        const isOfUser = 'apiUser' in choice;
        if (isOfUser) await closeApiInvitations({ ...context, db: trx }, choice);
        const revoked = await trx
          .deleteFrom('api_credentials')
          .where(isOfUser ? 'api_user' : 'api_key', '=', isOfUser ? choice.apiUser : choice.apiKey)
          .returning('api_key')
          .execute();
        if (isOfUser || revoked.length > 0)
          await audit.record(trx, { event: linkEvents['api-keys-revoked'], outcome: 'success', uid: null });
        return revoked.map(({ api_key }) => api_key);
      }),
  };
}

async function accountOf(db: Kysely<Tables>, username: string): Promise<AccountRecord> {
  const account = await findByUsername(db, username);
  if (account === null) throw new LinkNotGiven('There is no account with this username.');
  return account;
}

interface LinkMail {
  readonly to: string;
  readonly kind: string;
  readonly letter: (url: string) => Letter;
  readonly language: string | undefined;
}

/** Issues a link and writes its mail in one transaction, then sends it. */
async function give(
  context: ServiceContext,
  lock: string | null,
  purpose: LinkPurpose,
  mail: LinkMail | null,
): Promise<IssuedLink> {
  const { db, settings, messages } = context;
  const { language } = mail ?? {};
  if (language !== undefined && !settings.languages.includes(language))
    throw new LinkNotGiven(`The deployment offers ${settings.languages.join(', ')}, but not ${language}.`);
  const work = async (trx: Transaction<Tables>) => {
    const link = await issueLink({ ...context, db: trx }, purpose);
    if (mail === null) return { link, message: null };
    const content = { to: mail.to, letter: mail.letter(link.url) };
    // Replaces an unsent mail whose link this one invalidates.
    const replaces = purpose.kind === 'activate' || purpose.kind === 'reset-password';
    const owner = lock === null ? {} : { uid: lock };
    const topic = replaces ? { topic: `${purpose.kind} ${purpose.uid}` } : {};
    const { expiresAt } = link;
    const message = { channel: 'mail', kind: mail.kind, ...owner, ...topic, expiresAt, content } as const;
    return { link, message: await messages.write(trx, { ...message, language }) };
  };
  const given = await (lock === null
    ? inTransaction(db, work)
    : withAnyUserLocked(db, lock, (trx, { disabled_at }) => {
        if (disabled_at !== null) throw new LinkNotGiven('The account is disabled.');
        return work(trx);
      }));
  if (given === null) throw new LinkNotGiven('The account was removed in the meantime.');
  if (mail !== null && (await messages.sendNow(given.message)) === 'refused')
    throw new Error('The mail with the link was not sent.');
  return given.link;
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
    throw new LinkNotGiven('A magic link would bypass the two-step verification of the account.');
  }
  const applicationUrl = applicationUrlOf(account.user.personas, application);
  if (applicationUrl === null) throw new LinkNotGiven('The account has no persona in this application.');
  if (redirectUrl !== null && URL.parse(redirectUrl)?.origin !== new URL(applicationUrl).origin) {
    throw new LinkNotGiven('The page is not one of the application.');
  }
}
