import type {
  PasskeyAssertion,
  PasskeyRequestOptions,
  TokenResponse,
  UserResponse,
} from '@vestibule/contract/schema';
import type { Kysely, Transaction } from 'kysely';
import type { Audit, AuditEntry, AuditOrigin, EventKinds, NoticeText } from './audit/audit.ts';
import type { Background } from '../platform/background.ts';
import type { Client, Clients } from './clients/clients.ts';
import type { AccountChange } from '../platform/database/notifications.ts';
import type { SessionRow, Tables, UserRow, VerificationTokenRow } from './database/tables.ts';
import type { AuditRow } from './database/tables.ts';
import type { Attempts } from './limits/attempts.ts';
import type { ProviderCalls } from './provider/providerCalls.ts';
import type { MailRequests, Posts } from './messages/messageStore.ts';
import type { Messages, WrittenMessage } from './messages/messages.ts';
import type { Delivery } from '../platform/outbox/outbox.ts';
import type { Passwords } from '../platform/security/passwords.ts';
import type { EncryptionKeys } from './keys/encryptionKeys.ts';
import type { SecretBox } from '../platform/security/secretBox.ts';
import type { SignedTokens } from './keys/signedTokens.ts';
import type { SigningKeys } from './keys/signingKeys.ts';
import type { ServiceSettings } from './settings/options.ts';

/** The context of the operations. Each takes the parts that it needs (`Pick<ServiceContext, …>`). */
export interface ServiceContext {
  readonly db: Kysely<Tables>;
  readonly settings: ServiceSettings;
  readonly passwords: Passwords;
  readonly tokens: SignedTokens;
  readonly keys: SigningKeys;
  readonly clients: Clients;
  readonly attempts: Attempts;
  readonly providers: ProviderCalls;
  readonly secretBox: SecretBox;
  readonly encryptionKeys: EncryptionKeys;
  readonly background: Background;
  /** Records audit events. */
  readonly audit: Audit;
  readonly messages: Messages;
  readonly slots: Slots;
  /** The first of `languages` that the caller accepts; `undefined` if there is none, or the deployment has only English. */
  readonly language: string | undefined;
}

/** What runs on an occasion that another part of the service offers. */
export interface Hooks {
  /** A second step was asked for, or its code was made again. */
  readonly challengeStarted: (context: AuditedContext, challenge: StartedChallenge) => Promise<void>;
  readonly challengePassed: (
    context: Pick<TransactionContext, 'db' | 'settings'>,
    tokenHash: string,
  ) => Promise<void>;
  /**
   * Ends all access that was granted for the account: sessions, verified identities, setup tokens, challenges, sign-ins
   * in progress, trusted devices and links.
   *
   * @param context its transaction locks the user's row: see `withUserLocked`.
   */
  readonly endAccess: (
    context: Pick<TransactionContext, 'db' | 'settings'>,
    uid: string,
    reason: NonNullable<SessionRow['end_reason']>,
  ) => Promise<void>;
  readonly afterPasswordReset: (context: Pick<TransactionContext, 'db'>, uid: string) => Promise<void>;
  /** An account was written that existed before, at the end of the transaction. */
  readonly accountWritten: (
    context: Pick<TransactionContext, 'db' | 'clients' | 'messages'>,
    account: { readonly uid: string; readonly personas: Readonly<Record<string, unknown>> },
  ) => Promise<void>;
  /** The e-mail address of the account is another one. */
  readonly afterEmailChange: (context: Pick<TransactionContext, 'db'>, uid: string) => Promise<void>;
  /**
   * Runs before an account is removed, in the same transaction. Keeps evidence under the pseudonym, unless `withEvidence`.
   *
   * @returns how many pieces of evidence there are, by their kind.
   */
  readonly beforeErasure: (
    context: TransactionContext,
    erased: ErasedPerson,
  ) => Promise<Readonly<Record<string, number>>>;
  /** What the list of activity shows of these entries besides the event, by the id of the entry. */
  readonly activityDetails: (
    context: Pick<ServiceContext, 'db'>,
    entries: readonly AuditRow[],
  ) => Promise<Readonly<Record<string, object>>>;
  /** A client is about to be added. Throws `CommandError` if it cannot work. */
  readonly checkClient: (context: ServiceContext, client: Client) => Promise<void>;
  /** A client was removed: removes what it was given. */
  readonly clientRemoved: (context: Pick<TransactionContext, 'db'>, id: string) => Promise<void>;
  /** Passkeys or phones are about to be added, in this transaction. They replace others with the same id. */
  readonly elementsAdded: (
    context: Pick<TransactionContext, 'db' | 'settings' | 'slots'>,
    added: readonly AddedElement[],
  ) => Promise<void>;
  /** A mail to the owner about a passkey or phone (`about`) was sent. */
  readonly mailSent: (
    context: Pick<TransactionContext, 'db' | 'settings'>,
    uid: string,
    about: string,
  ) => Promise<void>;
  /** What the list of a user's keys says of each besides the key itself, by its id. */
  readonly keyAttributes: (
    context: Pick<ServiceContext, 'db' | 'settings' | 'slots'>,
    uid: string,
  ) => Promise<Readonly<Record<string, { readonly confirmsFrom?: string }>>>;
  /** Removes expired rows. */
  readonly cleanUp: (context: Pick<ServiceContext, 'db' | 'settings'>) => Promise<void>;
  /** What the response of `getUser` has besides the account itself. */
  readonly userAttributes: (
    context: Pick<ServiceContext, 'db' | 'slots'>,
    uid: string,
  ) => Promise<Partial<UserResponse>>;
  /** What the response of a sign-in has besides the tokens of its session. The caller alone gets it. */
  readonly sessionAttributes: (
    context: Pick<TransactionContext, 'settings' | 'tokens'>,
    session: StartedSession,
  ) => Promise<Partial<TokenResponse>>;
  /** Checks a new password that meets the rules. Throws `ServiceError`. */
  readonly checkNewPassword: (
    context: ServiceContext,
    owner: PasswordOwner,
    password: string,
  ) => Promise<void>;
  /** The password of a sign-in was right. */
  readonly afterPasswordProof: (context: ServiceContext, user: UserRow, password: string) => Promise<void>;
  /**
   * The owner of the account has denied an event: removes what an attacker with access may have added.
   *
   * @param since when the notice of the event was written.
   */
  readonly afterDenial: (
    context: Pick<TransactionContext, 'db' | 'audit'>,
    uid: string,
    since: Date,
  ) => Promise<void>;
}

/** How a user was verified before a change. */
export interface IdentityProof {
  /**
   * The method of a verified identity (a sign-in method or `passkey`), `setup` in setup mode, `offer` after a sign-in with a password,
   * `operator` for a new account, `help-desk` for a change of an account by an administrator, or `unknown`.
   */
  readonly method: string;
  /** The id of the passkey, for the method `passkey`. */
  readonly element?: string | null;
}

/** A passkey or a phone that was added to an account. */
export interface AddedElement {
  readonly uid: string;
  /** The id of the passkey, or the phone in E.164. */
  readonly element: string;
  readonly proof: IdentityProof;
  /** Whether the browser made the passkey without verifying the user. */
  readonly isUnverified?: boolean;
}

/** A key of a user. */
interface UserKey {
  readonly id: string;
  readonly name: string;
  readonly addedAt: Date;
  /** Whether it has signed, with the user verified. */
  readonly isUsed: boolean;
}

/** A person whose account is removed. */
export interface ErasedPerson {
  readonly uid: string;
  /** Stands for the person from now on, as in the audit log. */
  readonly pseudonym: string;
  /** Whether evidence is removed too. */
  readonly withEvidence: boolean;
}

/** A session that has just begun. */
export interface StartedSession {
  readonly id: string;
  /** How the user signed in, as the audit log names it. */
  readonly signedInBy: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
}

/** Lets users sign challenges with their own keys. */
export interface Signatures {
  /** The keys of a user, newest first. */
  readonly keysOf: (
    context: Pick<ServiceContext, 'db' | 'settings'>,
    uid: string,
  ) => Promise<readonly UserKey[]>;
  /** What the browser needs besides the challenge. @param ids of the keys that may sign. */
  readonly optionsFor: (
    context: Pick<ServiceContext, 'db' | 'settings'>,
    uid: string,
    ids: readonly string[],
  ) => Promise<Omit<PasskeyRequestOptions['publicKey'], 'challenge'>>;
  /**
   * @param types the accepted types of the client data.
   * @returns `null` if no key of the user has signed the challenge, with the user verified.
   */
  readonly verify: (
    context: Pick<ServiceContext, 'db' | 'settings'>,
    uid: string,
    challenge: string,
    credential: PasskeyAssertion,
    types: readonly string[],
  ) => Promise<Signature | null>;
}

interface Signature {
  /** COSE, base64url. */
  readonly publicKey: string;
  /** The relying party. */
  readonly rpId: string;
  /** Records the use. @returns `false` if the key was removed, or its counter shows a copy. */
  readonly use: (trx: Transaction<Tables>) => Promise<boolean>;
}

/** What the capabilities have plugged in: see `Capability`. */
export interface Slots extends Hooks {
  /** Absent: no capability has keys of users. */
  readonly signatures: Signatures | undefined;
  readonly auditEvents: Readonly<Record<string, EventKinds>>;
  readonly noticeTexts: Readonly<Record<string, NoticeText>>;
  readonly accountChanges: readonly AccountChange[];
  /** Tells the owner of an account about an entry of the audit log, in its transaction. Empty: nobody is told. */
  readonly notifiers: (settings: ServiceSettings) => readonly Notifier[];
  /** Writes the mails of a request, in the transaction that removes it. */
  readonly mailRequests: {
    readonly [Name in keyof MailRequests]?: (
      context: AuditedContext,
      content: MailRequests[Name],
    ) => Promise<readonly WrittenMessage[]>;
  };
  /** Sends messages to the servers of applications. Throws as `Outbox`. */
  readonly posts: {
    readonly [Name in keyof Posts]?: (
      context: ServiceContext,
      content: Posts[Name],
      delivery: Delivery,
    ) => Promise<void>;
  };
}

/** Whose password is new: the account, `null` for an invalid link, and the names that are entered with the password. */
export type PasswordOwner = { readonly uid: string | null } & Partial<
  Pick<UserRow, 'username' | 'email' | 'first_name' | 'last_name'>
>;

/** The context during a call. */
export type CallContext = ServiceContext & {
  /** The network of the caller: see `networkOf`. */
  readonly network: string;
  /** A separate hash queue for callers known to the account, in case others have filled the main queue. */
  readonly knownCallerQueue: {
    /** Whether calls wait in the main queue; only then it is checked whether a caller is known. */
    readonly isNeeded: () => boolean;
    readonly passwords: Passwords;
  };
};

/** The context inside a transaction. */
export type TransactionContext = ServiceContext & { readonly db: Transaction<Tables> };

/** The context for writing the mail about an event. `db` is the transaction of the event. */
export type MessageContext = Pick<ServiceContext, 'settings' | 'messages' | 'slots'> & {
  readonly db: Kysely<Tables>;
};

/** The context in a transaction on behalf of a caller. */
type AuditedContext = Pick<TransactionContext, 'db' | 'settings' | 'messages' | 'slots' | 'audit'>;

export type Notifier = (context: MessageContext, entry: AuditEntry, origin: AuditOrigin) => Promise<void>;

export type StartedChallenge = Pick<VerificationTokenRow, 'uid' | 'token_hash' | 'created_at' | 'expires_at'>;
