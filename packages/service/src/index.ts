export { auditEvents } from './slots.ts';
export type { Directory, ServiceOptions } from './slots.ts';
export { extensionOptions } from './environment.ts';
export { createService } from './createService.ts';
export type { Service } from './createService.ts';
export type { LockoutOptions, RateLimitOptions, TextLimits } from './core/settings/options.ts';
export type { DatabaseOptions, LogFields, Logger, PasswordHashOptions } from './platform/settings/options.ts';
export type { GoogleOptions, MicrosoftOptions, ProvidersOptions } from './core/settings/providersOptions.ts';
export type {
  Account,
  AccountChanges,
  AccountDirectory,
  AccountFilter,
  AccountInput,
  AccountMethod,
  AccountMfa,
  ExportChoice,
  FileAccount,
  FileMfa,
  ImportOutcome,
  ListedAccount,
  PersonExport,
  ProviderIdentity,
} from './core/directory.ts';
export type { LinkOptions } from './core/settings/linkOptions.ts';
export { LinkNotGiven } from './links/linkDirectory.ts';
export type { LinkDelivery } from './links/linkDirectory.ts';
export type { IssuedLink } from './links/links.ts';
export type { MessageChoice, MessageDirectory, PendingMessage } from './core/messages/messageDirectory.ts';
export { MessageDelayed, MessageRefused } from './platform/outbox/outbox.ts';
export type { Delivery, Mail, Outbox, TextMessage } from './platform/outbox/outbox.ts';
export { mailSender, smtpMail } from './platform/outbox/smtpMail.ts';
export type { MailTransport, SmtpOptions } from './platform/outbox/smtpMail.ts';
export { twilioText, webhookText } from './platform/outbox/textProvider.ts';
export type { TextWebhookOptions, TwilioOptions } from './platform/outbox/textProvider.ts';
export { totpCode } from './mfa/totp.ts';
