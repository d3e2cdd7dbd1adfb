import type { Kysely, Transaction } from 'kysely';
import type * as v from 'valibot';
import type { TwoStepMethod } from './database/twoStepMethod.ts';
import type { AuditFilter, NamedAuditRow, NetworkUser } from './audit/auditLog.ts';
import type { LoginMethodRow, MfaFactorRow, Tables, UserRow } from './database/tables.ts';
import type { AuditRow } from './database/tables.ts';
import type { ClientDirectory } from './clients/clientDirectory.ts';
import type { MessageDirectory } from './messages/messageDirectory.ts';
import type { ServiceContext } from './context.ts';

/** A method of sign-in (`GET /auth/v1/method/{username}`). */
export type AccountMethod =
  | { readonly method: 'basic' }
  | { readonly method: 'google' }
  | {
      readonly method: 'microsoft';
      readonly configuration: { readonly tenantId: string; readonly clientId: string };
    };

/** The second factor of an account. */
export type AccountMfa =
  /** Text messages to `phone` (E.164). `authyId` names the user at the text-message provider. */
  | {
      readonly type: 'authy';
      readonly phone: string;
      readonly countryCode: 'US' | 'GB';
      readonly authyId: string;
    }
  /** Authenticator app; `secret` in base32. */
  | { readonly type: 'mfa'; readonly secret: string };

/** An identity at a provider, by `iss` and `sub` of its ID tokens. */
export interface ProviderIdentity {
  readonly issuer: string;
  readonly subject: string;
}

/** The data of an account. */
export interface AccountInput {
  /** Default: a new random one for a new account, the present one otherwise. */
  readonly uid?: string;
  /** The username as it is shown. Lookups ignore case. */
  readonly username: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  /** Plaintext; stored as argon2id only. `null`: no password, so 'basic' cannot succeed. */
  readonly password: string | null;
  readonly methods: readonly AccountMethod[];
  /** Persona group → applications reachable in it (docs/behaviour.md#token-claims). Empty: the user cannot sign in. */
  readonly personas: Readonly<Record<string, readonly { readonly applicationUrl: string }[]>>;
  readonly mfa: AccountMfa | null;
  /** `true`: a sign-in returns a setup token (`mfaJWT`) until a second factor is active. */
  readonly mustSetUpMfa: boolean;
  /** Time of the last password change, `null` for never. */
  readonly lastReset: Date | null;
}

/** The fields that `AccountDirectory.change` changes. */
export type AccountChanges = Partial<Pick<AccountInput, 'username' | 'email' | 'firstName' | 'lastName'>>;

/** An account as read; without its password. */
export type Account = Omit<AccountInput, 'password' | 'uid'> & {
  readonly uid: string;
  readonly hasPassword: boolean;
  /** The bound identity of each provider; without one, the next sign-in binds. */
  readonly identities: Readonly<Partial<Record<'google' | 'microsoft', ProviderIdentity>>>;
  /** When it was disabled; `null` for an enabled account. */
  readonly disabledAt: Date | null;
  /** Its password is refused until it is reset. */
  readonly mustChangePassword: boolean;
};

/** An account in a list. */
export type ListedAccount = Omit<Account, 'mfa'> & {
  /** The language of mails (BCP 47). */
  readonly language?: string;
  readonly mfa: AccountMfa['type'] | null;
  readonly createdAt: Date;
  /** Until when its password is locked for at least one source; `null` without a lock. */
  readonly lockedUntil: Date | null;
};

/**
 * Two-step verification in a file, with the sealed secret of an authenticator app or without it. Without the secret
 * the user must enrol an app at the next sign-in, so that the password alone is not enough.
 */
export type FileMfa =
  Extract<AccountMfa, { type: 'authy' }> | { readonly type: 'mfa'; readonly sealedSecret?: string };

/** An account in a file; a capability adds its own part. */
export interface FileAccount extends Omit<AccountInput, 'password' | 'mfa'>, Pick<Account, 'identities'> {
  readonly createdAt?: Date;
  readonly disabledAt?: Date | null;
  readonly mustChangePassword?: boolean;
  /** The language of mails (BCP 47): the language of the last sign-in or used link. */
  readonly language?: string;
  /** A hash in the format of another system: see `security/foreignHashes.ts`. Absent if the user has no password yet. */
  readonly passwordHash?: unknown;
  readonly mfa: FileMfa | null;
}

/** The part of an account in a file that belongs to a capability. */
export interface AccountPart<in Part, out Read = Partial<Part>> {
  /** A line about each key, for `accounts import --help`. */
  readonly help: string;
  /** The schema of its keys. */
  readonly schema: v.ObjectEntries;
  /** @returns the part of each of these accounts. */
  readonly read: (
    db: Kysely<Tables>,
    uids: readonly string[],
  ) => Promise<(uid: string, choice: ExportChoice) => Read>;
  /** Columns of the user's row. */
  readonly columnsOf?: (account: FileAccount & Part) => Readonly<Record<string, unknown>>;
  /** Why an account is not imported, as the end of a sentence; `null` if it may be. */
  readonly refusalOf?: (account: FileAccount & Part) => string | null;
  /** Stores the parts of imported accounts. */
  readonly write: (trx: Transaction<Tables>, accounts: readonly ImportedAccount<Part>[]) => Promise<void>;
}

/** An account of a file whose user was written. */
export interface ImportedAccount<out Part = object> {
  readonly uid: string;
  readonly account: FileAccount & Part;
  readonly factor: MfaFactorRow | null;
}

/** The outcome for one account of a file; `refused` is the reason, as the end of a sentence. */
export type ImportOutcome = 'created' | 'existing' | { readonly refused: string };

/** The secrets that an export contains. */
export interface ExportChoice {
  /** The hashes of passwords and of recovery codes. */
  readonly passwordHashes: boolean;
  /** The secrets of authenticator apps, sealed with the encryption key. */
  readonly sealedSecrets: boolean;
}

type Rows = readonly Readonly<Record<string, unknown>>[];

/** What the database holds about one person, to which a capability adds its own part, without secrets: no password, token, code, link, or content of a message. */
export interface PersonExport {
  readonly account: FileAccount & { readonly hasPassword: boolean };
  /** Failed attempts at passwords and codes; the database has their networks as digests only. */
  readonly attempts: Rows;
  /** Messages that wait, or were given up. */
  readonly messages: Rows;
  readonly auditLog: readonly AuditRow[];
}

/** Selects accounts; without any property, all of them. */
export interface AccountFilter {
  readonly username?: string;
  /** Part of the username, the e-mail address or the name, ignoring case. */
  readonly search?: string;
  readonly method?: LoginMethodRow['method'];
  /** Two-step verification by authenticator app, by text message, either, or none. */
  readonly twoStep?: TwoStepMethod | 'on' | 'off';
  /** A persona group. */
  readonly application?: string;
  readonly hasPassword?: boolean;
  /** Accounts whose password is locked at present, for any source. */
  readonly isLocked?: boolean;
  readonly isDisabled?: boolean;
  readonly createdSince?: Date;
  /** Lists only usernames after this one, with which the previous page ended. */
  readonly after?: string;
}

/** The uid of an account. @throws Error for an unknown username. */
export type UidOf = (username: string) => Promise<string>;

/** What capabilities add for administrators. */
export interface DirectoryParts<Added = unknown, Part = object, Person = object> {
  readonly objects: (context: ServiceContext, uidOf: UidOf) => Added;
  readonly snapshot: (db: Kysely<Tables>) => Promise<(trx: Kysely<Tables>) => Promise<void>>;
  readonly accountParts: readonly AccountPart<Part>[];
  readonly exportPerson: (db: Kysely<Tables>, user: Pick<UserRow, 'uid' | 'email'>) => Promise<Person>;
}

/** The API for administrators, to which each capability adds an object of its own. */
export interface CoreDirectory<Part = object, Person = object> {
  readonly accounts: AccountDirectory<Part, Person>;
  readonly keys: KeyDirectory;
  readonly clients: ClientDirectory;
  readonly messages: MessageDirectory;
  readonly auditLog: AuditDirectory;
  /**
   * Removes every account, session, attempt, link, message, API credential, client of the command line and entry of the audit log; signing keys
   * are kept.
   */
  readonly resetAll: () => Promise<void>;
  /**
   * Copies all accounts to memory. @returns a function that restores them, faster than a single `accounts.upsert`, after removing
   * everything that `resetAll` removes.
   */
  readonly snapshot: () => Promise<() => Promise<void>>;
}

/**
 * Management of accounts.
 *
 * @typeParam Part what capabilities add to an account in a file.
 * @typeParam Person what they add to the export of a person.
 */
export interface AccountDirectory<Part = object, Person = object> {
  /**
   * Creates or replaces the account. Its trusted devices, failed attempts and links are removed; with another
   * password or e-mail its sessions end. With another e-mail, or without a provider that it offered, the binding to
   * that provider's identity is removed.
   */
  readonly upsert: (input: AccountInput) => Promise<Account>;
  /** Creates the account if the username is free; an existing one is not changed. */
  readonly ensure: (input: AccountInput) => Promise<Account>;
  /**
   * Changes data of an account. With an e-mail, all access ends as by `endSessions`, and the bindings to providers' identities are removed.
   * This and the next two throw for an unknown username.
   */
  readonly change: (username: string, changes: AccountChanges) => Promise<void>;
  /**
   * Removes the second factor, and ends all access as `endSessions` does.
   *
   * @param options `isOptional`: the password alone suffices from now on. Otherwise the next sign-in requires an enrolment.
   */
  readonly resetSecondFactor: (
    username: string,
    options?: { readonly isOptional?: boolean },
  ) => Promise<void>;
  /**
   * Ends all access as `endSessions` does. The next sign-in with the present password mails a reset link and is refused, until a new
   * password is set.
   */
  readonly requireNewPassword: (username: string) => Promise<void>;
  /** `null` for an unknown uid. */
  readonly usernameOf: (uid: string) => Promise<string | null>;
  /** `null` for an unknown username. */
  readonly find: (username: string) => Promise<Account | null>;
  /** The accounts in the order of their usernames, without secrets, read in pages. */
  readonly list: (filter?: AccountFilter) => AsyncIterable<ListedAccount>;
  /** The accounts in the format of `import`, with the chosen secrets. Recorded in the audit log. */
  readonly export: (
    choice: ExportChoice,
    filter?: AccountFilter,
  ) => AsyncIterable<FileAccount & Partial<Part> & { readonly uid: string }>;
  /** Everything that the database holds about a person. Recorded in the audit log. Throws for an unknown username. */
  readonly exportPerson: (username: string) => Promise<PersonExport & Person>;
  /**
   * Writes accounts of another system, or of `export`, in one transaction; all usernames must differ.
   * Existing accounts are not changed. A password hash of another format than ours is replaced when its user signs
   * in.
   *
   * @param options `isDry`: returns the outcomes without writing.
   */
  readonly import: (
    accounts: readonly (FileAccount & Part)[],
    options?: { readonly isDry?: boolean },
  ) => Promise<readonly ImportOutcome[]>;
  /**
   * Removes the account with its sessions, and its personal data from the audit log. Unknown usernames are ignored.
   *
   * @param options `withEvidence`: removes evidence too, which otherwise stays under a pseudonym until its time is over.
   * @returns how many pieces of evidence there were, by their kind.
   */
  readonly remove: (
    username: string,
    options?: { readonly withEvidence?: boolean },
  ) => Promise<Readonly<Record<string, number>>>;
  /**
   * Locks the password of the username, as too many failed attempts do. Trusted devices, existing sessions, links,
   * providers and known networks are not locked: use `disable` for that. `isRecorded: false`: without an audit entry and a notice, for
   * an account that is locked from the beginning.
   */
  readonly lock: (username: string, options?: { readonly isRecorded?: boolean }) => Promise<void>;
  /** Clears failed attempts, at passwords and codes: of one username, or of all. */
  readonly unlock: (username?: string) => Promise<void>;
  /**
   * Ends all access that was granted for the account: sessions (refresh and bearer calls get 401), setup tokens,
   * sign-ins in progress, trusted devices and links, including API invitations mailed to its address. This and the
   * next two throw for an unknown username.
   */
  readonly endSessions: (username: string) => Promise<void>;
  /** Ends these sessions and nothing else; other ids are ignored. Throws for an unknown username. */
  readonly endSessionsById: (username: string, ids: readonly string[]) => Promise<void>;
  /**
   * Disables the account until `enable`: ends all access as `endSessions` does, and refuses sign-in by password,
   * provider and link.
   */
  readonly disable: (username: string) => Promise<void>;
  /** Enables a disabled account; what `disable` has ended is not restored. */
  readonly enable: (username: string) => Promise<void>;
  /**
   * Binds the account to this identity instead of the present one. `null` removes the binding: the next sign-in with
   * the account's address binds, if no other provider is bound. Sessions, challenges and trusted devices end. Only
   * here can an identity be bound to several accounts. Throws for an unknown username.
   */
  readonly bindIdentity: (
    username: string,
    method: 'google' | 'microsoft',
    identity: ProviderIdentity | null,
  ) => Promise<void>;
  /** A `trustedToken` for a device of this user. Throws for an unknown username. */
  readonly trustDevice: (username: string) => Promise<string>;
}

/** Management of the signing keys, and of what is encrypted. */
export interface KeyDirectory {
  /**
   * Adds a signing key, which is published now and signs after 15 minutes. The previous key is retired when its
   * tokens have expired.
   */
  readonly rotate: () => Promise<{ readonly kid: string; readonly signsFrom: Date }>;
  /** Oldest first; the last one whose `signsFrom` has passed signs. */
  readonly list: () => Promise<readonly { readonly kid: string; readonly signsFrom: Date }[]>;
  /**
   * Removes a compromised key. All processes reject its tokens at once; if it was the current key, a new one signs
   * from now on. @returns the id of the key that signs; `null` if no key has the id `kid`.
   */
  readonly revoke: (kid: string) => Promise<string | null>;
  /**
   * Encrypts again, with the first encryption key, the secrets encrypted with another. @returns how many; 0: the
   * other keys can be removed. Throws CommandError while another process that runs lacks that key.
   */
  readonly reseal: () => Promise<number>;
}

/** Reads the audit log. */
export interface AuditDirectory {
  /**
   * The audit log, oldest first, with the present username of each account. Throws for an unknown username. Entries of an erased account
   * do not name it.
   */
  readonly read: (
    filter?: Omit<AuditFilter, 'uid'> & { readonly username?: string },
  ) => AsyncIterable<NamedAuditRow>;
  /** The accounts that have signed in from a network, those with the latest sign-in first. */
  readonly signedInFrom: (
    network: string,
    period?: Pick<AuditFilter, 'since' | 'until'>,
  ) => Promise<readonly NetworkUser[]>;
}
