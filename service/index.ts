export { auditEvents } from './audit/audit';
export type { AuditEvent } from './audit/audit';
export { createService } from './createService';
export type { Service } from './createService';
export type {
  DatabaseOptions,
  LockoutOptions,
  LogFields,
  Logger,
  PasswordHashOptions,
  RateLimitOptions,
  ServiceOptions,
  TextLimits,
} from './settings/options';
export type { GoogleOptions, MicrosoftOptions, ProvidersOptions } from './settings/providersOptions';
export type {
  Account,
  AccountInput,
  AccountMethod,
  AccountMfa,
  Directory,
  ExportChoice,
  FileAccount,
  FileMfa,
  ImportOutcome,
  ListedAccount,
  ProviderIdentity,
} from './directory/directory';
export type { AccountFilter } from './directory/readAccounts';
export type { LinkOptions } from './settings/linkOptions';
export { LinkNotGiven } from './links/linkDirectory';
export type { LinkDelivery } from './links/linkDirectory';
export type { IssuedLink } from './links/links';
export type { MessageChoice, PendingMessage } from './messages/messageDirectory';
export { MessageDelayed, MessageRefused, noOutbox } from './outbox/outbox';
export type { Delivery, Mail, Outbox, TextMessage } from './outbox/outbox';
export { mailSender, smtpMail } from './outbox/smtpMail';
export type { MailTransport, SmtpOptions } from './outbox/smtpMail';
export { twilioText, webhookText } from './outbox/textProvider';
export type { TextWebhookOptions, TwilioOptions } from './outbox/textProvider';
