import type {
  PasskeyAssertion,
  PasskeyRequestOptions,
  TokenResponse,
  UserResponse,
} from '@vestibule/contract/schema';
import type { Kysely, Transaction } from 'kysely';
import type { Background } from '../platform/background.ts';
import type { AccountChange } from '../platform/database/notifications.ts';
import type { Delivery } from '../platform/outbox/outbox.ts';
import type { Passwords } from '../platform/security/passwords.ts';
import type { SecretBox } from '../platform/security/secretBox.ts';
import type { Audit, AuditEntry, AuditEvent, AuditOrigin, NoticeText } from './audit/audit.ts';
import type { Client, Clients } from './clients/clients.ts';
import type { SessionRow, Tables, UserRow, VerificationTokenRow } from './database/tables.ts';
import type { AuditRow } from './database/tables.ts';
import type { Attempts } from './limits/attempts.ts';
import type { ProviderCalls } from './provider/providerCalls.ts';
import type { Channel, RequestContent } from './messages/messageStore.ts';
import type { Messages, WrittenMessage } from './messages/messages.ts';
import type { EncryptionKeys } from './keys/encryptionKeys.ts';
import type { SignedTokens } from './keys/signedTokens.ts';
import type { SigningKeys } from './keys/signingKeys.ts';
import type { ServiceSettings } from './settings/options.ts';

/**
 * The context of the operations. Functions get the whole context. A capability that adds to the context or its settings declares a type, such
 * as `ServiceContext & { readonly settings: PasskeySettings }`.
 */
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
export interface Hooks<Context = ServiceContext> {
  /** A second step was asked for, or its code was made again. */
  readonly challengeStarted: (context: InTransaction<Context>, challenge: StartedChallenge) => Promise<void>;
  readonly challengePassed: (context: InTransaction<Context>, tokenHash: string) => Promise<void>;
  /**
   * Ends all access that was granted for the account: sessions, verified identities, setup tokens, challenges, sign-ins
   * in progress, trusted devices and links.
   *
   * @param context its transaction locks the user's row: see `withUserLocked`.
   */
  readonly endAccess: (
    context: InTransaction<Context>,
    uid: string,
    reason: NonNullable<SessionRow['end_reason']>,
  ) => Promise<void>;
  readonly afterPasswordReset: (context: InTransaction<Context>, uid: string) => Promise<void>;
  /** An account was written that existed before, at the end of the transaction. */
  readonly accountWritten: (
    context: InTransaction<Context>,
    account: { readonly uid: string; readonly personas: Readonly<Record<string, unknown>> },
  ) => Promise<void>;
  /** The e-mail address of the account is another one. */
  readonly afterEmailChange: (context: InTransaction<Context>, uid: string) => Promise<void>;
  /**
   * Runs before an account is removed, in the same transaction. Keeps evidence under the pseudonym, unless `withEvidence`.
   *
   * @returns how many pieces of evidence there are, by their kind.
   */
  readonly beforeErasure: (
    context: InTransaction<Context>,
    erased: ErasedPerson,
  ) => Promise<Readonly<Record<string, number>>>;
  /** What the list of activity shows of these entries besides the event, by the id of the entry. */
  readonly activityDetails: (
    context: Context,
    entries: readonly AuditRow[],
  ) => Promise<Readonly<Record<string, object>>>;
  /** A client is about to be added. Throws `CommandError` if it cannot work. */
  readonly checkClient: (context: Context, client: Client) => Promise<void>;
  /** A client was removed: removes what it was given. */
  readonly clientRemoved: (context: InTransaction<Context>, id: string) => Promise<void>;
  /** Passkeys or phones are about to be added, in this transaction. They replace others with the same id. */
  readonly elementsAdded: (context: InTransaction<Context>, added: readonly AddedElement[]) => Promise<void>;
  /** A mail to the owner about a passkey or phone (`about`) was sent. */
  readonly mailSent: (context: InTransaction<Context>, uid: string, about: string) => Promise<void>;
  /** What the list of a user's keys says of each besides the key itself, by its id. */
  readonly keyAttributes: (
    context: Context,
    uid: string,
  ) => Promise<Readonly<Record<string, { readonly confirmsFrom?: string }>>>;
  /** Removes expired rows. */
  readonly cleanUp: (context: Context) => Promise<void>;
  /** What the response of `getUser` has besides the account itself. */
  readonly userAttributes: (context: Context, uid: string) => Promise<Partial<UserResponse>>;
  /** What the response of a sign-in has besides the tokens of its session. The caller alone gets it. */
  readonly sessionAttributes: (
    context: InTransaction<Context>,
    session: StartedSession,
  ) => Promise<Partial<TokenResponse>>;
  /** Checks a new password that meets the rules. Throws `ServiceError`. */
  readonly checkNewPassword: (context: Context, owner: PasswordOwner, password: string) => Promise<void>;
  /** The password of a sign-in was right. */
  readonly afterPasswordProof: (context: Context, user: UserRow, password: string) => Promise<void>;
  /**
   * The owner of the account has denied an event: removes what an attacker with access may have added.
   *
   * @param since when the notice of the event was written.
   */
  readonly afterDenial: (context: InTransaction<Context>, uid: string, since: Date) => Promise<void>;
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
export interface Signatures<Context = ServiceContext> {
  /** The keys of a user, newest first. */
  readonly keysOf: (context: Context, uid: string) => Promise<readonly UserKey[]>;
  /** What the browser needs besides the challenge. @param ids of the keys that may sign. */
  readonly optionsFor: (
    context: Context,
    uid: string,
    ids: readonly string[],
  ) => Promise<Omit<PasskeyRequestOptions['publicKey'], 'challenge'>>;
  /**
   * @param types the accepted types of the client data.
   * @returns `null` if no key of the user has signed the challenge, with the user verified.
   */
  readonly verify: (
    context: Context,
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
  readonly auditEvents: Readonly<Record<string, AuditEvent>>;
  readonly noticeTexts: Readonly<Record<string, NoticeText>>;
  readonly accountChanges: readonly AccountChange[];
  /** Tells the owner of an account about an entry of the audit log, in its transaction. Empty: nobody is told. */
  readonly notifiers: (settings: ServiceSettings) => readonly Notifier[];
  readonly mailRequests: readonly MailRequest<never>[];
  readonly posts: readonly Post<never>[];
}

/** A channel of requests whose mails are written later. */
export interface MailRequest<
  Content extends RequestContent,
  Context = ServiceContext,
> extends Channel<Content> {
  /** Writes the mails, in the transaction that removes the request. */
  readonly handle: (context: InTransaction<Context>, content: Content) => Promise<readonly WrittenMessage[]>;
}

/** A channel of messages to the servers of applications. */
export interface Post<Content, Context = ServiceContext> extends Channel<Content> {
  /** Throws the same errors as `Outbox`. */
  readonly handle: (context: Context, content: Content, delivery: Delivery) => Promise<void>;
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
export type TransactionContext = InTransaction<ServiceContext>;

export type InTransaction<Context> = Context & { readonly db: Transaction<Tables> };

export type Notifier<Context = ServiceContext> = (
  context: Context,
  entry: AuditEntry,
  origin: AuditOrigin,
) => Promise<void>;

export type StartedChallenge = Pick<VerificationTokenRow, 'uid' | 'token_hash' | 'created_at' | 'expires_at'>;
