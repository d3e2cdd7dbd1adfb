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
} from './options';
export type { GoogleOptions, MicrosoftOptions, ProvidersOptions } from './provider/providersOptions';
export type { Account, AccountInput, AccountMethod, AccountMfa, Directory } from './directory/directory';
export type { TextLimits } from './mfa/textLimits';
export type { Mail, Outbox, TextMessage } from './outbox/outbox';
