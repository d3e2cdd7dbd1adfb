import type { ColumnType, Generated, GeneratedAlways, Selectable } from 'kysely';
import type { JWK } from 'jose';

/** JSON is written as text and read back parsed (node-postgres does the parsing). */
type Json<T> = ColumnType<T, string, string>;

interface UsersTable {
  uid: string;
  /** As the administrator wrote it. */
  username: string;
  /** What lookups compare: see `usernameKey`. */
  username_key: string;
  email: string;
  /** What lookups by address compare: `usernameKey` of `email_key_of`, which is another than `email` where an earlier release wrote that. */
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
  /** Counts the changes of the second factor: see `removeFactors`. */
  factors_version: Generated<number>;
  /** Counts how often set-up tokens and sign-ins under way were ended: see `endBindings` and `endAccess`. */
  identities_version: Generated<number>;
  /** Since when an administrator has shut the account; null for an account that is open. */
  disabled_at: Date | null;
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
  /** `source` of an `AttemptKey`, or its `scope` for all unknown networks together. */
  subject: string;
  scope: Generated<string>;
  /** Within the window of the lockout. */
  failures: number;
  last_failed_at: Date;
  locked_until: Date | null;
  /** Locks in a row: each is longer than the one before. */
  locks: Generated<number>;
  /** Within the day that ends at `day_ends_at`. */
  day_failures: Generated<number>;
  day_ends_at: Date | null;
  /** Until when a network is known; null for one from which no attempt has succeeded. */
  known_until: Date | null;
}

interface SessionsTable {
  id: string;
  uid: string;
  method: 'basic' | 'google' | 'microsoft';
  /** Key from which each refresh token's successor is derived: see `rotation.ts`. */
  rotation_key: string;
  created_at: Date;
  /** End of the session however often it is refreshed. */
  expires_at: Date;
  ended_at: Date | null;
  end_reason: 'signOut' | 'reuse' | 'administrator' | 'password' | null;
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
  type: 'authy' | 'mfa';
  phone: string | null;
  country_code: 'US' | 'GB' | null;
  authy_id: string | null;
  /** base32, as `SecretBox` seals it. */
  totp_secret: string | null;
  /** Null until the first code was verified. */
  activated_at: Date | null;
  /** The newest time step (RFC 6238) whose code was accepted; it and older ones are refused. */
  last_used_step: number | null;
}

interface VerificationTokensTable {
  token_hash: string;
  uid: string;
  /** 'challenge' = at sign-in; 'identity' = of a signed-in user (validate-password). */
  purpose: 'challenge' | 'identity';
  method: 'basic' | 'google' | 'microsoft';
  mfa_type: 'authy' | 'mfa' | null;
  /** The session that an identity verification belongs to. */
  session_id: string | null;
  created_at: Date;
  expires_at: Date;
  /** argon2id of the code in the newest text message of a challenge. */
  code_hash: string | null;
  code_expires_at: Date | null;
}

/** New factors whose first code has not been verified; one a user and type, the newest. */
interface MfaEnrolmentsTable {
  id: string;
  uid: string;
  type: 'authy' | 'mfa';
  phone: string | null;
  country_code: 'US' | 'GB' | null;
  /** argon2id of the code in the text message. */
  code_hash: string | null;
  /** base32, as `SecretBox` seals it. */
  totp_secret: string | null;
  expires_at: Date;
}

/** Messages of which there may not be many: text messages, and mails that can be asked for without signing in. */
interface TextMessageCountsTable {
  /** SHA-256 of what is limited: see `messageCounts.ts`. */
  subject: string;
  sent: number;
  window_ends_at: Date;
}

interface TrustedDevicesTable {
  id: string;
  uid: string;
  created_at: Date;
  expires_at: Date;
}

/** Who signs in to an account at a provider: see `identity/identityBinding.ts`. */
interface ProviderIdentitiesTable {
  uid: string;
  method: 'google' | 'microsoft';
  /** `iss` and `sub` of the ID token. */
  issuer: string;
  subject: string;
  /** By an administrator; otherwise by the first sign-in. */
  is_assigned: boolean;
  bound_at: Date;
}

/** Codes and nonces of providers that were used (`exchangeCode.ts`), set-up tokens that were revoked (`revokedSetups.ts`). */
interface SpentProofsTable {
  /** SHA-256, hex. */
  fingerprint: string;
  expires_at: Date;
}

/** One-time links, by the hash of their id: see `links/links.ts`. */
interface LinksTable {
  id_hash: string;
  /** What it leads to: a link route of the sign-on, or an application. */
  kind: 'activate' | 'reset-password' | 'secret-key' | 'application';
  /** Whose it is; null for an API user's. */
  uid: string | null;
  /** Name of the API user that a 'secret-key' link is for. */
  api_user: string | null;
  /** `usernameKey` of the address to which an API invitation was mailed. */
  email_key: string | null;
  /** Persona group that an 'application' link leads into, and the page there (null: its start). */
  application: string | null;
  redirect_url: string | null;
  /** Whether the token call takes it (`/redirect/{id}`), once. */
  is_magic: boolean;
  created_at: Date;
  expires_at: Date;
  exchanged_at: Date | null;
  /** When it was used up, or died because a newer one took its place. */
  used_at: Date | null;
}

interface ApiCredentialsTable {
  api_key: string;
  /** SHA-256 of the secret, hex. */
  secret_hash: string;
  api_user: string;
  created_at: Date;
}

/** Messages that are to be sent, and those that were given up: see `messages/`. */
interface OutboxMessagesTable {
  id: string;
  channel: 'mail' | 'text' | 'forgot';
  /** What it is about, for the operator. */
  kind: string;
  uid: string | null;
  /** A newer message about the same replaces one that was not sent yet. */
  topic: string | null;
  /** The message in JSON, as `SecretBox` seals it: it holds links and codes. */
  body: string;
  created_at: Date;
  /** From when on its content is of no use. */
  expires_at: Date | null;
  /** End of the tries. */
  give_up_at: Date;
  /** When it is tried next; while a process has it in hand, when another one may take it. Null: given up. */
  due_at: Date | null;
  /** Counts who had it in hand, so that one who was too slow changes nothing. */
  attempts: number;
  failed_at: Date | null;
  last_error: string | null;
}

interface SigningKeysTable {
  kid: string;
  /** The JWK in JSON, as `SecretBox` seals it. */
  private_key: string;
  public_jwk: Json<JWK>;
  /** From when it signs. The newest signs; one that was made ahead is published only. */
  created_at: Generated<Date>;
}

/** What happened: see `audit/audit.ts`. */
interface AuditLogTable {
  /** Text, as node-postgres reads a bigint. */
  id: GeneratedAlways<string>;
  at: Date;
  event: string;
  outcome: 'success' | 'pending' | 'failure';
  uid: string | null;
  method: string | null;
  reason: string | null;
  network: string | null;
  device: string | null;
}

/** Every table, as Kysely sees it. The migrations are the source of truth for the columns. */
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
  audit_log: AuditLogTable;
}

/** All but the keys of the address, by name: a statement that asks for `*` is not prepared (`connect.ts`). */
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
  'factors_version',
  'identities_version',
  'disabled_at',
  'created_at',
] as const satisfies readonly (keyof UsersTable)[];

export type UserRow = Pick<Selectable<UsersTable>, (typeof userColumns)[number]>;
export type LoginMethodRow = Selectable<LoginMethodsTable>;
export type ProviderIdentityRow = Selectable<ProviderIdentitiesTable>;
export type MfaFactorRow = Selectable<MfaFactorsTable>;
/** A factor whose first code was verified. */
export type ActiveFactor = Omit<MfaFactorRow, 'activated_at'>;
export type MfaEnrolmentRow = Selectable<MfaEnrolmentsTable>;
export type VerificationTokenRow = Selectable<VerificationTokensTable>;
export type SessionRow = Selectable<SessionsTable>;
export type LinkRow = Selectable<LinksTable>;
export type AuditRow = Selectable<AuditLogTable>;
export type OutboxMessageRow = Selectable<OutboxMessagesTable>;
