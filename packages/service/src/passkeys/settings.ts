import type { AppConfig } from '@vestibule/contract/appConfig';
import { paths } from '@vestibule/contract/paths';
import * as v from 'valibot';
import type { ServiceContext } from '../core/context.ts';
import type { SettingsPart } from '../capability.ts';
import { registrableDomain } from '../platform/http/hostnames.ts';
import { checkAddress } from '../core/settings/checkDeployment.ts';
import type { ServiceSettings } from '../core/settings/options.ts';
import { list, origin } from '../platform/settings/variables.ts';

/** Where passkeys are valid. The id is permanent: with another one all are lost. */
export interface PasskeyOptions {
  /** The relying party: a domain. */
  readonly rpId: string;
  /** Origins of the pages: on `rpId`, below it, or named in its `/.well-known/webauthn`. */
  readonly origins: readonly string[];
  /** Origins of the same site in whose frames the pages may use passkeys. */
  readonly parentOrigins: readonly string[];
}

export interface PasskeySettings extends ServiceSettings {
  /** Absent: no passkeys. */
  readonly passkeys?: PasskeyOptions;
}

export interface PasskeyContext extends ServiceContext {
  readonly settings: PasskeySettings;
}

const relyingParty = v.pipe(
  v.string(),
  v.regex(/^[a-z0-9-]+(?:\.[a-z0-9-]+)*$/, 'must be a domain such as login.example.com.'),
);

const origins = v.pipe(v.string('is not set.'), list, v.array(v.pipe(v.string(), origin)));

export const passkeySettings: SettingsPart<PasskeySettings> = {
  read: (read, given) => ({
    passkeys:
      given['PASSKEYS_RP_ID'] === undefined
        ? undefined
        : {
            rpId: read('PASSKEYS_RP_ID', relyingParty),
            origins: read('PASSKEYS_ORIGINS', origins),
            parentOrigins: given['PASSKEYS_PARENT_ORIGINS'] ? read('PASSKEYS_PARENT_ORIGINS', origins) : [],
          },
  }),
  check: checkPasskeys,
  deployment: {
    ownKeys: ['page.passkeys'],
    names: ['PASSKEYS_RP_ID', 'PASSKEYS_ORIGINS', 'PASSKEYS_PARENT_ORIGINS'],
    variables: passkeyVariables,
    files: passkeyFiles,
  },
};

function checkPasskeys({ passkeys }: PasskeySettings): void {
  if (passkeys === undefined) return;
  for (const one of passkeys.origins) checkAddress('passkeys.origins (PASSKEYS_ORIGINS)', one);
  const { rpId } = passkeys;
  const hosts = passkeys.origins.map((one) => new URL(one).hostname);
  const host = hosts.find((one) => isBelow(one, rpId));
  if (host === undefined)
    throw new Error(
      'passkeys.rpId (PASSKEYS_RP_ID) must be the host of one of its origins, or a parent of it.',
    );
  if (registrableDomain(rpId) === null && !hosts.includes(rpId))
    throw new Error(
      `passkeys.rpId (PASSKEYS_RP_ID) is ${rpId}, a public suffix, below which others have names too: browsers refuse its passkeys. Use ${registrableDomain(host) ?? host}.`,
    );
}

const isBelow = (host: string, parent: string): boolean => `.${host}`.endsWith(`.${parent}`);

function passkeyVariables(page: AppConfig): Readonly<Record<string, string>> {
  const { passkeys, cookies, parentOrigins } = page;
  if (passkeys === undefined || !page.extensions.includes('passkeys')) return {};
  // Frames of other sites have no session, and browsers restrict passkeys in them.
  const parents = parentOrigins.filter((origin) =>
    `.${new URL(origin).hostname}`.endsWith(`.${cookies.domain ?? ''}`),
  );
  return {
    PASSKEYS_RP_ID: passkeys.rpId,
    PASSKEYS_ORIGINS: passkeyOrigins(page).join(','),
    ...(cookies.domain === undefined || parents.length === 0
      ? {}
      : { PASSKEYS_PARENT_ORIGINS: parents.join(',') }),
  };
}

/**
 * The JSON files about passkeys that the hosts of the page serve, by path; none without the extension. The first one lets supplier
 * hosts use the passkeys of the login host (related origins). The second one leads password managers to the settings.
 */
function passkeyFiles({
  extensions,
  signOnUrl,
  supplierHosts,
}: Pick<AppConfig, 'extensions' | 'signOnUrl' | 'supplierHosts'>): Readonly<Record<string, string>> {
  if (!extensions.includes('passkeys')) return {};
  const settings = signOnUrl + paths.accountSettings();
  const files = {
    '/.well-known/webauthn': { origins: passkeyOrigins({ signOnUrl, supplierHosts }) },
    '/.well-known/passkey-endpoints': { enroll: settings, manage: settings },
  };
  return Object.fromEntries(Object.entries(files).map(([path, content]) => [path, JSON.stringify(content)]));
}

/** The origins of the pages that may use passkeys. */
export function passkeyOrigins({
  signOnUrl,
  supplierHosts,
}: Pick<AppConfig, 'signOnUrl' | 'supplierHosts'>): readonly string[] {
  const { protocol } = new URL(signOnUrl);
  return [signOnUrl, ...supplierHosts.map((host) => `${protocol}//${host}`)];
}
