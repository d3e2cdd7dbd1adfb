import type { AccountDirectory, AccountInput, AccountMethod } from '@vestibule/service';
import { familyDomain, originOf } from './hosts.ts';
import { microsoftClientId, microsoftTenantId } from './registration.ts';

/** A ready-made account: what it is for, and what happens when one signs in with it. */
export interface ReadyAccount {
  readonly journey: string;
  readonly expectation: string;
  readonly username: string;
  /** `null` where the journey is that there is none. */
  readonly account: AccountInput | null;
}

/** Username of the account that is kept locked. */
export const lockedUsername = 'locked@payments.example';

/** Usernames of the accounts that the start page's links are for. */
export const linkedUsernames = {
  invited: 'invited@payments.example',
  invitedByMagicLink: 'invited-by-magic-link@payments.example',
  forgetful: 'forgot-password@payments.example',
  forgetfulByMagicLink: 'reset-by-magic-link@payments.example',
  magic: 'ada@payments.example',
} as const;

/** Every ready-made account with a password has this one; it satisfies the rules (docs/behaviour.md#password-rules). */
export const readyPassword = 'Front-door7';

/** Keys of the ready-made authenticator accounts, base32, for any authenticator app. */
export const readyAuthenticatorKey = 'KVKFKRCPNZQUYMLXOVYDSQKJKZDTSRLD';
const readyProviderAuthenticatorKey = 'NRSWIZ3FOIWWC3TEFVWGKZDHMVZC2ZDP';

const basic: AccountMethod = { method: 'basic' };
const google: AccountMethod = { method: 'google' };
const microsoft: AccountMethod = {
  method: 'microsoft',
  configuration: { tenantId: microsoftTenantId, clientId: microsoftClientId },
};

type Personas = AccountInput['personas'];
type Variation = Partial<Omit<AccountInput, 'username'>> & Pick<AccountInput, 'firstName' | 'lastName'>;

/** An account that differs from an ordinary one (password, no second step) in what `variation` says. */
export function account(username: string, personas: Personas, variation: Variation): AccountInput {
  return {
    username,
    email: username.includes('@') ? username : `${username}@payments.example`,
    password: readyPassword,
    methods: [basic],
    personas,
    mfa: null,
    mustSetUpMfa: false,
    lastReset: null,
    ...variation,
  };
}

/**
 * The ready-made accounts, in the order of the table on the start page. Their applications are those of this environment, so
 * they depend on its port.
 */
export function readyAccounts(port: number): readonly ReadyAccount[] {
  const ledger = ledgerPersonas(port);
  const several: Personas = { ...ledger, supplierHub: [{ applicationUrl: `${originOf('hub', port)}/` }] };
  return [
    ...passwordAccounts(ledger, several),
    ...providerAccounts(ledger),
    ...twoStepAccounts(ledger),
    ...linkedAccounts(ledger),
  ];
}

/** Who may enter the Ledger of this environment and nothing else. */
export function ledgerPersonas(port: number): Personas {
  return { ledger: [{ applicationUrl: `${originOf('ledger', port)}/` }] };
}

function ready(journey: string, expectation: string, input: AccountInput): ReadyAccount {
  return { journey, expectation, username: input.username, account: input };
}

function passwordAccounts(ledger: Personas, several: Personas): readonly ReadyAccount[] {
  const longUsername = `a.very.long.username.that.has.to.fit.on.a.small.screen@${'department.'.repeat(4)}${familyDomain}`;
  return [
    ready(
      'One application',
      'Goes straight to the Ledger.',
      account('ada@payments.example', ledger, { firstName: 'Ada', lastName: 'Park' }),
    ),
    ready(
      'Several applications',
      'Lands on account settings; the password was last changed in March.',
      account('several@payments.example', several, {
        firstName: 'Sam',
        lastName: 'Okoro',
        lastReset: new Date('2026-03-05T14:07:00Z'),
      }),
    ),
    ready(
      'No application',
      'Dialog: create relation in db',
      account('no-application@payments.example', {}, { firstName: 'Nora', lastName: 'Lind' }),
    ),
    ready(
      'Locked',
      'Dialog: Too many failed login attempts (locked again each time this page is opened).',
      account(lockedUsername, ledger, { firstName: 'Lou', lastName: 'Ferro' }),
    ),
    {
      journey: 'Unknown username',
      expectation: 'Dialog: No Login Methods available. No account stands behind this one.',
      username: 'unknown@payments.example',
      account: null,
    },
    ready(
      'Long username',
      'Goes to the Ledger; nothing is cut off or pushed out on a small screen.',
      account(longUsername, ledger, { firstName: 'Maximiliane', lastName: 'Featherstonehaugh' }),
    ),
  ];
}

function providerAccounts(ledger: Personas): readonly ReadyAccount[] {
  return [
    ready(
      'Google only',
      'Goes to the Ledger by way of the provider’s window, which opens by itself.',
      account('google@payments.example', ledger, {
        firstName: 'Gina',
        lastName: 'Rossi',
        password: null,
        methods: [google],
      }),
    ),
    ready(
      'Microsoft only',
      'Goes to the Ledger by way of the provider’s window, which opens by itself.',
      account('microsoft@payments.example', ledger, {
        firstName: 'Mick',
        lastName: 'Tanaka',
        password: null,
        methods: [microsoft],
      }),
    ),
    ready(
      'All methods',
      'Password, Google and Microsoft are offered.',
      account('all-methods@payments.example', ledger, {
        firstName: 'Alma',
        lastName: 'Haas',
        methods: [basic, google, microsoft],
      }),
    ),
    ready(
      'E-mail with a plus-suffix',
      'Password and Google; the provider is asked for plus@payments.example.',
      account('plus+suffix@payments.example', ledger, {
        firstName: 'Petra',
        lastName: 'Nowak',
        methods: [basic, google],
      }),
    ),
    ready(
      'E-mail that the provider does not vouch for',
      'Password, Google and Microsoft; signing in by a provider ends in the dialog: Your account has no access',
      account('unverified@payments.example', ledger, {
        firstName: 'Una',
        lastName: 'Berg',
        methods: [basic, google, microsoft],
      }),
    ),
  ];
}

function twoStepAccounts(ledger: Personas): readonly ReadyAccount[] {
  return [
    ready(
      'Must set up two-step verification',
      'Lands on account settings, in setup mode; after setting it up, signs in again with a code.',
      account('must-set-up@payments.example', ledger, {
        firstName: 'Suki',
        lastName: 'Amari',
        mustSetUpMfa: true,
      }),
    ),
    ready(
      'Two-step by text message',
      'Asks for the six digits of a text message, which lies in the outbox.',
      account('text-message@payments.example', ledger, {
        // docs/payments.md names it.
        uid: 'u_tess',
        firstName: 'Tess',
        lastName: 'Byrne',
        mfa: { type: 'authy', phone: '+12025550143', countryCode: 'US', authyId: '70143' },
      }),
    ),
    ready(
      'Two-step by authenticator app',
      `Asks for the code of an app. It is shown below; key for an app of your own: ${readyAuthenticatorKey}`,
      account('authenticator@payments.example', ledger, {
        firstName: 'Theo',
        lastName: 'Marsh',
        mfa: { type: 'mfa', secret: readyAuthenticatorKey },
      }),
    ),
    ready(
      'Google only, two-step by authenticator app',
      `Asks for the code of an app after the provider’s window. Key for an app of your own: ${readyProviderAuthenticatorKey}`,
      account('google-authenticator@payments.example', ledger, {
        firstName: 'Greta',
        lastName: 'Holm',
        password: null,
        methods: [google],
        mfa: { type: 'mfa', secret: readyProviderAuthenticatorKey },
      }),
    ),
    ready(
      'Microsoft only, two-step by text message',
      'Asks for the six digits of a text message to a British phone, after the provider’s window.',
      account('microsoft-text-message@payments.example', ledger, {
        firstName: 'Milo',
        lastName: 'Grant',
        password: null,
        methods: [microsoft],
        mfa: { type: 'authy', phone: '+447700900143', countryCode: 'GB', authyId: '70144' },
      }),
    ),
    ready(
      'Google only, must set up two-step verification',
      'Lands on account settings, in setup mode, after the provider’s window.',
      account('google-must-set-up@payments.example', ledger, {
        firstName: 'Gwen',
        lastName: 'Adeyemi',
        password: null,
        methods: [google],
        mustSetUpMfa: true,
      }),
    ),
  ];
}

function linkedAccounts(ledger: Personas): readonly ReadyAccount[] {
  const { invited, invitedByMagicLink, forgetful, forgetfulByMagicLink } = linkedUsernames;
  const toActivate = 'Has no password until it is activated: the links are below.';
  const toReset = 'Goes to the Ledger; a link to choose another password is below.';
  return [
    ready(
      'Invited',
      toActivate,
      account(invited, ledger, { firstName: 'Ines', lastName: 'Duarte', password: null }),
    ),
    ready(
      'Invited by magic link',
      toActivate,
      account(invitedByMagicLink, ledger, { firstName: 'Ivan', lastName: 'Petrov', password: null }),
    ),
    ready(
      'Forgot the password',
      toReset,
      account(forgetful, ledger, { firstName: 'Rita', lastName: 'Gomez' }),
    ),
    ready(
      'Resets the password by magic link',
      toReset,
      account(forgetfulByMagicLink, ledger, { firstName: 'Remy', lastName: 'Laurent' }),
    ),
  ];
}

/** Creates the accounts that are missing; what people changed in the others stays. */
export async function ensureAccounts(
  directory: AccountDirectory,
  accounts: readonly ReadyAccount[],
): Promise<void> {
  for (const { account: input } of accounts) {
    if (input !== null) await directory.ensure(input);
  }
}
