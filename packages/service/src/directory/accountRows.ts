import type { AccountRecord, ActiveFactor } from '../accounts/accounts.ts';
import type { LoginMethodRow, MfaFactorRow, UserRow } from '../core/database/tables.ts';
import type { SecretBox } from '../platform/security/secretBox.ts';
import type { Account, AccountMethod, AccountMfa } from '../core/directory.ts';

/** Rows of `login_methods`, in the order in which the methods are offered. */
export function methodRowsFrom(uid: string, methods: readonly AccountMethod[]): LoginMethodRow[] {
  return methods.map((one, position) => ({
    uid,
    position,
    method: one.method,
    tenant_id: one.method === 'microsoft' ? one.configuration.tenantId : null,
    client_id: one.method === 'microsoft' ? one.configuration.clientId : null,
  }));
}

/** The row of an active factor. */
export function factorRowFrom(
  uid: string,
  mfa: AccountMfa,
  activatedAt: Date,
  secretBox: SecretBox,
): MfaFactorRow {
  const empty = {
    phone: null,
    country_code: null,
    authy_id: null,
    totp_secret: null,
    last_used_step: null,
  };
  return mfa.type === 'authy'
    ? {
        ...empty,
        uid,
        type: 'authy',
        phone: mfa.phone,
        country_code: mfa.countryCode,
        authy_id: mfa.authyId,
        activated_at: activatedAt,
      }
    : { ...empty, uid, type: 'mfa', totp_secret: secretBox.seal(mfa.secret, uid), activated_at: activatedAt };
}

/** An account for administrators, without its identities. */
export function accountFrom(
  { user, methods, factors }: AccountRecord,
  secretBox: SecretBox,
): Omit<Account, 'identities'> {
  const [factor] = factors;
  return {
    ...personFrom(user),
    hasPassword: user.password_hash !== null,
    methods: methods.map(methodFrom),
    personas: user.personas,
    mfa: factor === undefined ? null : mfaFrom(factor, secretBox),
    mustSetUpMfa: user.must_set_up_mfa,
    lastReset: user.password_changed_at,
    disabledAt: user.disabled_at,
    mustChangePassword: user.must_change_password,
  };
}

export function personFrom(
  user: UserRow,
): Pick<Account, 'uid' | 'username' | 'email' | 'firstName' | 'lastName'> {
  return {
    uid: user.uid,
    username: user.username,
    email: user.email,
    firstName: user.first_name,
    lastName: user.last_name,
  };
}

export function methodFrom(row: LoginMethodRow): AccountMethod {
  if (row.method !== 'microsoft') return { method: row.method };
  return {
    method: 'microsoft',
    configuration: { tenantId: row.tenant_id ?? '', clientId: row.client_id ?? '' },
  };
}

function mfaFrom(row: ActiveFactor, secretBox: SecretBox): AccountMfa {
  return row.method === 'text'
    ? phoneFrom(row)
    : { type: 'mfa', secret: secretBox.open(row.totp_secret ?? '', row.uid) };
}

/** The factor of a phone. */
export function phoneFrom(
  row: Pick<MfaFactorRow, 'phone' | 'country_code' | 'authy_id'>,
): Extract<AccountMfa, { readonly type: 'authy' }> {
  return {
    type: 'authy',
    phone: row.phone ?? '',
    countryCode: row.country_code ?? 'US',
    authyId: row.authy_id ?? '',
  };
}
