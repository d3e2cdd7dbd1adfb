import type { Migrations } from '../../platform/database/migrate.ts';
import * as accounts from './migrations/0001_accounts.ts';
import * as sessions from './migrations/0002_sessions.ts';
import * as mfa from './migrations/0003_mfa.ts';
import * as spentProofs from './migrations/0004_spent_proofs.ts';
import * as secondStep from './migrations/0005_second_step.ts';
import * as factorsVersion from './migrations/0006_factors_version.ts';
import * as links from './migrations/0010_links.ts';
import * as sealedKeys from './migrations/0011_sealed_keys.ts';
import * as guesses from './migrations/0013_guesses.ts';
import * as providerIdentities from './migrations/0015_provider_identities.ts';
import * as auditLog from './migrations/0016_audit_log.ts';
import * as outbox from './migrations/0017_outbox.ts';
import * as disabledAccounts from './migrations/0018_disabled_accounts.ts';
import * as helpDesk from './migrations/0019_help_desk.ts';
import * as devices from './migrations/0020_devices.ts';
import * as language from './migrations/0024_language.ts';
import * as clients from './migrations/0025_clients.ts';
import * as authenticationMethods from './migrations/0026_authentication_methods.ts';
import * as rsaKeys from './migrations/0027_rsa_keys.ts';
import * as elements from './migrations/0030_elements.ts';
import * as auditDetails from './migrations/0032_audit_details.ts';
import * as outboxReceivers from './migrations/0037_outbox_receivers.ts';
import * as encryptionKeys from './migrations/0039_encryption_keys.ts';
import * as pageFiles from './migrations/0040_page_files.ts';

/** The migrations of the core tables, by name. */
export const coreMigrations: Migrations = {
  '0001_accounts': accounts,
  '0002_sessions': sessions,
  '0003_mfa': mfa,
  '0004_spent_proofs': spentProofs,
  '0005_second_step': secondStep,
  '0006_factors_version': factorsVersion,
  '0010_links': links,
  '0011_sealed_keys': sealedKeys,
  '0013_guesses': guesses,
  '0015_provider_identities': providerIdentities,
  '0016_audit_log': auditLog,
  '0017_outbox': outbox,
  '0018_disabled_accounts': disabledAccounts,
  '0019_help_desk': helpDesk,
  '0020_devices': devices,
  '0024_language': language,
  '0025_clients': clients,
  '0026_authentication_methods': authenticationMethods,
  '0027_rsa_keys': rsaKeys,
  '0030_elements': elements,
  '0032_audit_details': auditDetails,
  '0037_outbox_receivers': outboxReceivers,
  '0039_encryption_keys': encryptionKeys,
  '0040_page_files': pageFiles,
};
