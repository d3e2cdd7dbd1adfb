import type { AppConfig } from '@vestibule/contract/appConfig';
import type { UserResponse } from '@vestibule/contract/schema';
import type { Kysely } from 'kysely';
import type * as v from 'valibot';
import type { AuditEvent } from './platform/audit/audit.ts';
import { coreVerdicts } from './platform/audit/refusals.ts';
import { capabilities } from './capabilities.ts';
import type { DecorationBase, SettingsPart } from './capability.ts';
import { coreMigrations } from './platform/database/migrate.ts';
import type { Tables } from './platform/database/tables.ts';
import type { Directory, DirectoryParts } from './platform/directory.ts';
import type { Operations } from './platform/http/operations.ts';
import type { ServiceContext, Slots } from './platform/serviceContext.ts';
import type { ServiceSettings } from './platform/settings/options.ts';

/** Every recorded event, and what its owner learns of it. */
const events = merged<Slots['auditEvents']>(...capabilities.map(({ auditEvents = {} }) => auditEvents));

export const auditEvents = Object.keys(events) as readonly AuditEvent[];

/** What the capabilities plug into the service. */
export const slots: Slots = {
  auditEvents: events,
  verdicts: new Set([...coreVerdicts, ...capabilities.flatMap(({ verdicts = [] }) => verdicts)]),
  noticeTexts: merged<Slots['noticeTexts']>(...capabilities.map((one) => one.noticeTexts ?? {})),
  accountChanges: capabilities.flatMap(({ accountChanges = [] }) => accountChanges),
  userAttributes: async (context, uid) => {
    const parts = [];
    for (const { userAttributes } of capabilities) parts.push((await userAttributes?.(context, uid)) ?? {});
    return merged<Partial<UserResponse>>(...parts);
  },
  notifiers: (settings) => capabilities.flatMap(({ notify }) => notify?.(settings) ?? []),
  mailRequests: merged<Slots['mailRequests']>(...capabilities.map((one) => one.mailRequests ?? {})),
  challengeStarted: inOrder(capabilities.map((one) => one.challengeStarted)),
  challengePassed: inOrder(capabilities.map((one) => one.challengePassed)),
  afterPasswordReset: inOrder(capabilities.map((one) => one.afterPasswordReset)),
  afterEmailChange: inOrder(capabilities.map((one) => one.afterEmailChange)),
  endAccess: inOrder(capabilities.map((one) => one.endAccess)),
  cleanUp: inOrder(capabilities.map((one) => one.cleanUp)),
  afterDenial: inOrder(capabilities.map((one) => one.afterDenial)),
  checkNewPassword: inOrder(capabilities.map((one) => one.checkNewPassword)),
  afterPasswordProof: inOrder(capabilities.map((one) => one.afterPasswordProof)),
};

/** The migrations of the schema, by name. */
export const migrations = merged(coreMigrations, ...capabilities.map((one) => one.migrations ?? {}));

export const directoryParts: DirectoryParts = {
  methods: (...given) =>
    merged<Partial<Directory>>(...capabilities.map(({ directory }) => directory?.(...given) ?? {})),
  snapshot: async (db) => {
    const restores: ((trx: Kysely<Tables>) => Promise<void>)[] = [];
    for (const { snapshot } of capabilities) if (snapshot !== undefined) restores.push(await snapshot(db));
    return inOrder(restores);
  },
  accountParts: capabilities.flatMap(({ accountPart }) => accountPart ?? []),
  exportPerson: async (db, user) => {
    const parts = [];
    for (const { exportPerson } of capabilities) parts.push(await exportPerson?.(db, user));
    return merged({}, ...parts.map((part) => part ?? {}));
  },
};

/** Ends the long calls of the capabilities. */
export const closeCapabilities = inOrder(capabilities.map(({ close }) => close));

/** What the capabilities add to the context of the operations. */
export async function decorations(base: DecorationBase): Promise<Partial<ServiceContext>> {
  const parts = [];
  for (const { decorate } of capabilities) parts.push((await decorate?.(base)) ?? {});
  return merged<Partial<ServiceContext>>(...parts);
}

const settings = capabilities.flatMap((one) => one.settings ?? []);
const deployments = settings.flatMap(({ deployment }) => deployment ?? []);

/** The settings of the capabilities. */
export const settingsParts = {
  defaults: merged<Partial<ServiceSettings>>(...settings.map(({ defaults = {} }) => defaults)),
  read: ((...given) => merged(...settings.map(({ read }) => read(...given)))) satisfies SettingsPart['read'],
  check: (given: ServiceSettings): void => {
    for (const { check } of settings) check?.(given);
  },
  /** The files that the hosts of the page serve, with the name of their capability. */
  filesOf: (page: AppConfig) =>
    capabilities.flatMap(({ name, settings }) =>
      Object.entries(settings?.deployment?.files?.(page) ?? {}).map(([path, json]) => ({ name, path, json })),
    ),
  deploymentKeys: merged<v.ObjectEntries>(...deployments.map(({ keys = {} }) => keys)),
  followingVariables: deployments.flatMap(({ names }) => names),
  variablesOf: (...given: Parameters<(typeof deployments)[number]['variables']>) =>
    merged<Readonly<Record<string, string>>>(...deployments.map(({ variables }) => variables(...given))),
};

/** The operations of all capabilities, by call of the contract. */
export const operations = merged<Operations>(...capabilities.map((one) => one.operations ?? {}));

/** Runs what the capabilities have for an occasion, one after another: they may share a transaction. */
function inOrder<Given extends readonly unknown[]>(
  hooks: readonly (((...given: Given) => Promise<void>) | undefined)[],
): (...given: Given) => Promise<void> {
  return async (...given) => {
    for (const hook of hooks) await hook?.(...given);
  };
}

function merged<Part extends object>(...parts: readonly Part[]): Part {
  return Object.assign({}, ...parts) as Part;
}
