import type { AuditEvent } from '../audit/audit.ts';
import type { AuditRow } from '../database/tables.ts';
import type { LinkDirectory } from '../links/linkDirectory.ts';
import type { MessageDirectory } from '../messages/messageDirectory.ts';
import type { AccountFilter } from './readAccounts.ts';

/** One way to sign in, as the directory keeps it (`GET /auth/v1/method/{username}`). */
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

/** A person at a provider, by `iss` and `sub` of their ID tokens. */
export interface ProviderIdentity {
  readonly issuer: string;
  readonly subject: string;
}

/** What is kept of a user. */
export interface AccountInput {
  /** Default: a new random one for a new account, the present one otherwise. */
  readonly uid?: string;
  /** As shown; looked up without regard to case. */
  readonly username: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  /** In clear; stored as argon2id only. `null`: no password, so 'basic' cannot succeed. */
  readonly password: string | null;
  readonly methods: readonly AccountMethod[];
  /** Persona group → applications reachable in it (docs/behaviour.md#token-claims). Empty: the user cannot sign in. */
  readonly personas: Readonly<Record<string, readonly { readonly applicationUrl: string }[]>>;
  readonly mfa: AccountMfa | null;
  /** True: signing in answers `mfaJWT` until a second factor is active. */
  readonly mustSetUpMfa: boolean;
  /** Time of the last password change, `null` for never. */
  readonly lastReset: Date | null;
}

/** An account as read back; the password is never read back. */
export type Account = Omit<AccountInput, 'password' | 'uid'> & {
  readonly uid: string;
  readonly hasPassword: boolean;
  /** Who signs in at each provider; a provider that is missing is bound to the first who does. */
  readonly identities: Readonly<Partial<Record<'google' | 'microsoft', ProviderIdentity>>>;
  /** Since when it is disabled; `null`: it is not. */
  readonly disabledAt: Date | null;
};

/** An account in a list. */
export type ListedAccount = Omit<Account, 'mfa'> & {
  readonly mfa: AccountMfa['type'] | null;
  readonly createdAt: Date;
  /** Until when its password is locked, somewhere at least; `null`: it is not. */
  readonly lockedUntil: Date | null;
};

/**
 * Two-step verification as a file has it: an app's secret as the service has sealed it, or not at all. Without the secret the
 * user has to set an app up at the next sign-in, so that nobody is left with the password alone.
 */
export type FileMfa =
  Extract<AccountMfa, { type: 'authy' }> | { readonly type: 'mfa'; readonly sealedSecret?: string };

/** An account as a file has it. */
export type FileAccount = Omit<AccountInput, 'password' | 'mfa'> &
  Pick<Account, 'identities'> & {
    readonly createdAt?: Date;
    readonly disabledAt?: Date | null;
    /** As another system writes it: see `security/foreignHashes.ts`. Absent: the user has no password yet. */
    readonly passwordHash?: unknown;
    readonly mfa: FileMfa | null;
  };

/** What came of one account of a file; `refused` says why, as the end of a sentence. */
export type ImportOutcome = 'created' | 'existing' | { readonly refused: string };

/** What of an account's secrets leaves the service. */
export interface ExportChoice {
  readonly passwordHashes: boolean;
  /** The secrets of apps, as the encryption key has sealed them. */
  readonly sealedSecrets: boolean;
}

/**
 * The administrator's side of the service, for the local environment, for tests and for scripts. It is not reachable over
 * HTTP.
 */
export interface Directory extends LinkDirectory, MessageDirectory {
  /**
   * Writes the account as given, whether or not it exists. Its devices are trusted no more, its failed attempts are
   * forgotten, links that were given for it are void, and with another password or e-mail than before its sessions end.
   * With another e-mail, or without a provider that it offered, it is no longer bound to the identity that signed in there.
   */
  readonly upsertAccount: (input: AccountInput) => Promise<Account>;
  /** Creates the account if the username is free; leaves an existing one, and what people changed in it, alone. */
  readonly ensureAccount: (input: AccountInput) => Promise<Account>;
  /** `null` for an unknown username. */
  readonly findAccount: (username: string) => Promise<Account | null>;
  /** The accounts in the order of their usernames, without secrets; read while they are taken. */
  readonly listAccounts: (filter?: AccountFilter) => AsyncIterable<ListedAccount>;
  /** The same as `importAccounts` takes them, with the secrets that are asked for. The audit log says that it was done. */
  readonly exportAccounts: (
    choice: ExportChoice,
    filter?: AccountFilter,
  ) => AsyncIterable<FileAccount & { readonly uid: string }>;
  /**
   * Writes accounts of another system, or of `exportAccounts`, in one transaction; each of another username. Existing
   * accounts stay as they are. A password hash of another kind than ours is replaced when its user signs in.
   *
   * @param options `isDry`: says what would come of each, and writes nothing
   */
  readonly importAccounts: (
    accounts: readonly FileAccount[],
    options?: { readonly isDry?: boolean },
  ) => Promise<readonly ImportOutcome[]>;
  /** Removes the account with its sessions, and what leads to it from the audit log. Unknown usernames are ignored. */
  readonly removeAccount: (username: string) => Promise<void>;
  /**
   * Locks the password of the username, as if too many attempts had failed just now. Trusted devices, live sessions, links, providers,
   * and networks from which it was entered within 30 days, are not locked: `disable` shuts an account.
   */
  readonly lock: (username: string) => Promise<void>;
  /** Forgets failed attempts, at passwords and at codes: of one username, or of all. */
  readonly unlock: (username?: string) => Promise<void>;
  /**
   * Ends all that was given out for the account: sessions (refresh and bearer calls answer 401), set-up tokens, sign-ins under way, trusted
   * devices and links, also API invitations that were mailed to its address. Throws for an unknown username, as the next two.
   */
  readonly endSessions: (username: string) => Promise<void>;
  /** Shuts the account until `enable`: the same as `endSessions`, and nothing new is given out, by password, provider or link. */
  readonly disable: (username: string) => Promise<void>;
  /** Opens a disabled account; what `disable` has ended stays so. */
  readonly enable: (username: string) => Promise<void>;
  /**
   * Binds the account to this identity, in place of the one before; `null`: to the next that signs in with the account's
   * address, if no other provider's is bound. Sessions, challenges and trust end. By itself an identity is bound to one account only, and here to as many
   * as it is given. Throws for an unknown username.
   */
  readonly bindIdentity: (
    username: string,
    method: 'google' | 'microsoft',
    identity: ProviderIdentity | null,
  ) => Promise<void>;
  /** A `trustedToken` for a device of this user. Throws for an unknown username. */
  readonly trustDevice: (username: string) => Promise<string>;
  /** Adds a signing key: published now, signing a quarter of an hour later. The one before is retired once its tokens are over. */
  readonly rotateSigningKey: () => Promise<{ readonly kid: string; readonly signsFrom: Date }>;
  /** Oldest first; the last one whose time has come signs. */
  readonly listSigningKeys: () => Promise<readonly { readonly kid: string; readonly signsFrom: Date }[]>;
  /**
   * Removes a key that others may have: what it has signed is refused at once, by every process. If it was the key that signs, a new one
   * signs from now on. @returns the key that signs; `null` when there is no key of that id.
   */
  readonly revokeSigningKey: (kid: string) => Promise<string | null>;
  /** Encrypts with the first encryption key what another of them has. @returns how many secrets that were; 0: the others can go. */
  readonly resealSecrets: () => Promise<number>;
  /**
   * What happened, oldest first: of one account, of one kind, since a time, or all. Throws for an unknown username; an erased
   * account's entries name it no longer.
   */
  readonly auditLog: (filter?: {
    readonly username?: string;
    readonly event?: AuditEvent;
    readonly since?: Date;
  }) => AsyncIterable<AuditRow>;
  /** Removes every account, session, attempt, link, message, API credential and entry of the audit log; signing keys stay. */
  readonly resetAll: () => Promise<void>;
  /**
   * Remembers all accounts as they are, in this process. @returns what brings them back, for less than a single
   * `upsertAccount`, and removes everything that `resetAll` removes.
   */
  readonly snapshot: () => Promise<() => Promise<void>>;
}
