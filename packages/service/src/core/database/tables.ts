import type { MfaType } from '@vestibule/contract/schema';
import type { ColumnType, Generated, GeneratedAlways, Selectable } from 'kysely';
import type { JWK } from 'jose';
import type { ClientFields } from '../clientFields.ts';

/** JSON is written as text and read back parsed (node-postgres does the parsing). */
type Json<T> = ColumnType<T, string, string>;

/** A capability may add columns that `userColumns` does not need. */
export interface UsersTable {
  uid: string;
  /** The username as the administrator wrote it. */
  username: string;
  /** The key for lookups: see `usernameKey`. */
  username_key: string;
  email: string;
  /**
   * The key for lookups by address: `usernameKey` of `email_key_of`. That differs from `email` if an earlier release
   * wrote `email`.
   */
  email_key: string | null;
  email_key_of: string | null;
  first_name: string;
  last_name: string;
  /** argon2id in PHC form; null for users without a password. */
  password_hash: string | null;
  /** `lastReset` of the contract; null for never. */
  password_changed_at: Date | null;
  personas: Json<Record<string, { applicationUrl: string }[]>>;
  must_set_up_mfa: boolean;
  /** The language (BCP 47) of the last sign-in or used link, or of the import; null if none is known yet. */
  language: ColumnType<string | null, string | null | undefined, string | null>;
  /** Incremented by changes of the second factor: see `removeFactors`. */
  factors_version: Generated<number>;
  /** Incremented when setup tokens and sign-ins in progress are ended: see `endBindings` and `endAccess`. */
  identities_version: Generated<number>;
  /** When an administrator disabled the account; null for an enabled one. */
  disabled_at: Date | null;
  /** The present password signs in only once a new one is set. */
  must_change_password: Generated<boolean>;
  created_at: Date;
}

interface LoginMethodsTable {
  uid: string;
  /** Order in which the methods are offered. */
  position: number;
  method: 'basic' | 'google' | 'microsoft';
  tenant_id: string | null;
  client_id: string | null;
}

interface SignInAttemptsTable {
  /** `sourceDigest` of an `AttemptKey`, or its `scope` for the sum of all unknown networks. */
  subject: string;
  scope: Generated<string>;
  /** Failures within the window of the lockout. */
  failures: number;
  last_failed_at: Date;
  locked_until: Date | null;
  /** Consecutive locks: each is longer than the previous one. */
  locks: Generated<number>;
  /** Failures within the day that ends at `day_ends_at`. */
  day_failures: Generated<number>;
  day_ends_at: Date | null;
  /** Until when the network is known; null if no attempt from it has succeeded. */
  known_until: Date | null;
}

/** The `ClientDetails` of a session or a device. Null: unknown. */
export interface ClientDetailsColumns {
  browser: string | null;
  system: string | null;
  network: string | null;
}

interface SessionsTable extends ClientDetailsColumns {
  id: string;
  uid: string;
  method: 'basic' | 'google' | 'microsoft';
  /** How the user signed in, as the audit log names it; null for a session of an earlier release. */
  signed_in_by: string | null;
  /** The authentication methods of the sign-in (RFC 8176), separated by spaces; null for a session of an earlier release. */
  amr: ColumnType<string | null, string | null | undefined, string | null>;
  /** Key from which each refresh token's successor is derived: see `rotation.ts`. */
  rotation_key: string;
  created_at: Date;
  /** End of the session, regardless of refreshes. */
  expires_at: Date;
  ended_at: Date | null;
  end_reason: 'signOut' | 'elsewhere' | 'reuse' | 'administrator' | 'password' | null;
}

interface RefreshTokensTable {
  token_hash: string;
  session_id: string;
  created_at: Date;
  expires_at: Date;
  /** When its successor was issued. */
  rotated_at: Date | null;
}

interface MfaFactorsTable {
  uid: string;
  type: MfaType;
  phone: string | null;
  country_code: 'US' | 'GB' | null;
  authy_id: string | null;
  /** base32, as `SecretBox` seals it. */
  totp_secret: string | null;
  /** Null until the first code was verified. */
  activated_at: Date | null;
  /** The newest time step (RFC 6238) whose code was accepted; codes of it and of older ones are rejected. */
  last_used_step: number | null;
}

interface VerificationTokensTable {
  token_hash: string;
  uid: string;
  /** 'challenge' = at sign-in; 'identity' = of a signed-in user (validate-password). */
  purpose: 'challenge' | 'identity';
  /** How the user was verified; a challenge is of a password or a provider. */
  method: string;
  /** The passkey that verified an identity; null for any other method. */
  element: ColumnType<string | null, string | null | undefined, string | null>;
  mfa_type: MfaType | null;
  /** The session that an identity verification belongs to. */
  session_id: string | null;
  created_at: Date;
  expires_at: Date;
  /** argon2id of the code in the newest text message of a challenge. */
  code_hash: string | null;
  code_expires_at: Date | null;
}

/** Enrolments whose first code has not been verified; the newest of each user and type. */
interface MfaEnrolmentsTable {
  id: string;
  uid: string;
  type: MfaType;
  phone: string | null;
  country_code: 'US' | 'GB' | null;
  /** argon2id of the code in the text message. */
  code_hash: string | null;
  /** base32, as `SecretBox` seals it. */
  totp_secret: string | null;
  expires_at: Date;
}

/** Counts of rate-limited messages: text messages, and mails that can be requested without signing in. */
interface TextMessageCountsTable {
  /** SHA-256 of the limited subject: see `messageCounts.ts`. */
  subject: string;
  sent: number;
  window_ends_at: Date;
}

interface TrustedDevicesTable extends ClientDetailsColumns {
  id: string;
  uid: string;
  created_at: Date;
  expires_at: Date;
}

/** The provider identities of accounts: see `identity/identityBinding.ts`. */
interface ProviderIdentitiesTable {
  uid: string;
  method: 'google' | 'microsoft';
  /** `iss` and `sub` of the ID token. */
  issuer: string;
  subject: string;
  /** Bound by an administrator; otherwise by the first sign-in. */
  is_assigned: boolean;
  bound_at: Date;
}

/** Values that were valid once and have been used, such as the codes of providers: see `spentProofs.ts`. */
interface SpentProofsTable {
  /** SHA-256, hex. */
  fingerprint: string;
  expires_at: Date;
}

/** One-time links, by the hash of their id: see `links/links.ts`. */
interface LinksTable {
  id_hash: string;
  /** The target: a link route of the application, or a sibling application. */
  kind: 'activate' | 'reset-password' | 'secret-key' | 'application';
  /** The user; null for a link of an API user. */
  uid: string | null;
  /** Name of the API user that a 'secret-key' link is for. */
  api_user: string | null;
  /** `usernameKey` of the address to which an API invitation was mailed. */
  email_key: string | null;
  /** Persona group of an 'application' link, and the page there (null: its start page). */
  application: string | null;
  redirect_url: string | null;
  /** Whether the token call accepts it (`/redirect/{id}`), once. */
  is_magic: boolean;
  created_at: Date;
  expires_at: Date;
  exchanged_at: Date | null;
  /** When it was used, or replaced by a newer one. */
  used_at: Date | null;
}

interface ApiCredentialsTable {
  api_key: string;
  /** SHA-256 of the secret, hex. */
  secret_hash: string;
  api_user: string;
  created_at: Date;
}

/** Messages that wait to be sent, and those that were given up: see `messages/`. */
interface OutboxMessagesTable {
  id: string;
  /** The `channel` of `Content` in `messages/messageStore.ts`. */
  channel: string;
  /** The kind of message, for the operator. */
  kind: string;
  uid: string | null;
  /** An unsent message is replaced by a newer one with the same topic. */
  topic: string | null;
  /** The passkey or phone that a mail to its owner is about: see `Hooks.mailSent`. */
  about: ColumnType<string | null, string | null | undefined, string | null>;
  /** The address of the application to which it is posted. */
  receiver: ColumnType<string | null, string | null | undefined, string | null>;
  /** The message in JSON, as `SecretBox` seals it: it holds links and codes. */
  body: string;
  created_at: Date;
  /** When its content (a link, a code) expires. */
  expires_at: Date | null;
  /** When the tries end. */
  give_up_at: Date;
  /** The next try; while a process holds its lease, the end of the lease. Null: given up. */
  due_at: Date | null;
  /** Incremented by each lease, so that a process whose lease has expired changes nothing. */
  attempts: number;
  failed_at: Date | null;
  last_error: string | null;
}

interface SigningKeysTable {
  kid: string;
  /** The JWK in JSON, as `SecretBox` seals it. */
  private_key: string;
  public_jwk: Json<JWK>;
  /** An RSA key in JSON, sealed, which signs beside it; null without the setting `rsaKeys`. */
  rsa_key: ColumnType<string | null, string | null | undefined, string | null>;
  /** When it starts to sign. The newest such key signs; one with a later time is only published. */
  created_at: Generated<Date>;
}

/** The encryption keys with which secrets may be sealed: see `security/encryptionKeys.ts`. */
interface EncryptionKeysTable {
  /** See `SecretBox.keyIds`. */
  id: string;
}

/** The processes that run with an encryption key. */
interface ProcessesTable {
  id: string;
  /** The machine and the number of the process, for the operator. */
  name: string;
  /** The ids of its keys, in their order. */
  encryption_keys: ColumnType<readonly string[], string[], string[]>;
  /** The id of the key with which it seals. */
  sealing_key: string;
  /** Its last sign of life, by the clock of the database. */
  seen_at: Generated<Date>;
}

/** The audit log: see `audit/audit.ts`. */
interface AuditLogTable {
  /** A string, as which node-postgres reads a bigint. */
  id: GeneratedAlways<string>;
  at: Date;
  event: string;
  outcome: 'success' | 'pending' | 'failure';
  uid: string | null;
  method: string | null;
  reason: string | null;
  network: string | null;
  device: string | null;
  /** Who ran the command; null for calls. */
  administrator: string | null;
  details: ColumnType<Readonly<Record<string, string>> | null, string | undefined, null>;
}

/** Clients of the command line: see `clients/`. */
interface ClientsTable {
  id: string;
  fields: Json<ClientFields>;
  created_at: Date;
}

interface ClientSecretsTable {
  /** SHA-256 of the secret, hex. */
  secret_hash: string;
  client_id: string;
  created_at: Date;
  /** The end of a secret that was rotated; null for the newest one. */
  expires_at: Date | null;
}

/** A release whose hashed files are kept, or a change of the themes: see `page/keptFiles.ts`. */
interface PageBuildsTable {
  id: string;
  part: 'build' | 'themes';
  /** The hash of each file, by its name. */
  files: Json<Record<string, string>>;
  /** The id, sealed. */
  seal: string;
  used_at: Date;
}

interface PageFilesTable {
  /** SHA-256 of the content, base64url. */
  hash: string;
  /** Compressed by brotli. */
  content: Buffer;
}

/** The tables, as Kysely sees them; a capability adds its own. The migrations are the source of truth for the columns. */
export interface Tables {
  users: UsersTable;
  login_methods: LoginMethodsTable;
  sign_in_attempts: SignInAttemptsTable;
  sessions: SessionsTable;
  refresh_tokens: RefreshTokensTable;
  mfa_factors: MfaFactorsTable;
  verification_tokens: VerificationTokensTable;
  mfa_enrolments: MfaEnrolmentsTable;
  text_message_counts: TextMessageCountsTable;
  trusted_devices: TrustedDevicesTable;
  provider_identities: ProviderIdentitiesTable;
  spent_proofs: SpentProofsTable;
  links: LinksTable;
  api_credentials: ApiCredentialsTable;
  outbox_messages: OutboxMessagesTable;
  signing_keys: SigningKeysTable;
  encryption_keys: EncryptionKeysTable;
  processes: ProcessesTable;
  audit_log: AuditLogTable;
  clients: ClientsTable;
  client_secrets: ClientSecretsTable;
  page_builds: PageBuildsTable;
  page_files: PageFilesTable;
}

/** All columns except the address keys, by name: a statement with `*` is not prepared (`connect.ts`). */
export const userColumns = [
  'uid',
  'username',
  'username_key',
  'email',
  'first_name',
  'last_name',
  'password_hash',
  'password_changed_at',
  'personas',
  'must_set_up_mfa',
  'language',
  'factors_version',
  'identities_version',
  'disabled_at',
  'must_change_password',
  'created_at',
] as const satisfies readonly (keyof UsersTable)[];

export type UserRow = Pick<Selectable<UsersTable>, (typeof userColumns)[number]>;
export type LoginMethodRow = Selectable<LoginMethodsTable>;
export type ProviderIdentityRow = Selectable<ProviderIdentitiesTable>;
export type MfaFactorRow = Selectable<MfaFactorsTable>;
export type MfaEnrolmentRow = Selectable<MfaEnrolmentsTable>;
export type VerificationTokenRow = Selectable<VerificationTokensTable>;
export type SessionRow = Selectable<SessionsTable>;
export type LinkRow = Selectable<LinksTable>;
export type AuditRow = Selectable<AuditLogTable>;
export type OutboxMessageRow = Selectable<OutboxMessagesTable>;
