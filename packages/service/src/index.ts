export { auditEvents } from './slots.ts';
export type { AuditEvent } from './audit/audit.ts';
export { createService } from './createService.ts';
export type { Service } from './createService.ts';
export type {
  DatabaseOptions,
  LockoutOptions,
  LogFields,
  Logger,
  PasswordHashOptions,
  RateLimitOptions,
  ServiceOptions,
  TextLimits,
} from './settings/options.ts';
export type { GoogleOptions, MicrosoftOptions, ProvidersOptions } from './settings/providersOptions.ts';
export type {
  Account,
  AccountChanges,
  AccountFilter,
  AccountInput,
  AccountMethod,
  AccountMfa,
  Directory,
  ExportChoice,
  FileAccount,
  FileMfa,
  ImportOutcome,
  ListedAccount,
  PersonExport,
  ProviderIdentity,
} from './directory.ts';
export type { LinkOptions } from './settings/linkOptions.ts';
export { LinkNotGiven } from './links/linkDirectory.ts';
export type { LinkDelivery } from './links/linkDirectory.ts';
export type { IssuedLink } from './links/links.ts';
export type { MessageChoice, PendingMessage } from './messages/messageDirectory.ts';
export { MessageDelayed, MessageRefused } from './outbox/outbox.ts';
export type { Delivery, Mail, Outbox, TextMessage } from './outbox/outbox.ts';
export { mailSender, smtpMail } from './outbox/smtpMail.ts';
export type { MailTransport, SmtpOptions } from './outbox/smtpMail.ts';
export { twilioText, webhookText } from './outbox/textProvider.ts';
export type { TextWebhookOptions, TwilioOptions } from './outbox/textProvider.ts';
export { totpCode } from './mfa/totp.ts';
