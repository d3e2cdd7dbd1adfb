import type { AppConfig } from '@vestibule/contract/appConfig';
import type { Kysely } from 'kysely';
import type * as v from 'valibot';
import { capabilities, type Listed } from './capabilities.ts';
import type { Capability, InitPart, SettingsPart } from './capability.ts';
import { coreMigrations } from './core/database/migrations.ts';
import type { Tables } from './core/database/tables.ts';
import type { AccountPart, CoreDirectory, DirectoryParts } from './core/directory.ts';
import { clientEvents } from './core/clients/events.ts';
import type { ForeignRoute } from './core/http/foreignRoutes.ts';
import type { Operations } from './core/http/operations.ts';
import type { Slots } from './core/context.ts';
import type { OptionsOf, ServiceSettings } from './core/settings/options.ts';

/** The intersection of all members of a union; `object` if there are none. */
type All<Union> = [Union] extends [never]
  ? object
  : (Union extends unknown ? (one: Union) => void : never) extends (all: infer Every) => void
    ? Every
    : never;

type AddedSettings<One> = One extends { readonly settings: SettingsPart<infer Own> } ? Own : never;
type AddedObjects<One> = One extends { readonly directory: (...given: never) => infer Own } ? Own : never;

/** The settings of the service, with those of the capabilities. */
export type Settings = ServiceSettings & All<AddedSettings<Listed>>;

export type ServiceOptions = OptionsOf<Settings>;

type AddedDirectory = All<AddedObjects<Listed>>;
type AddedPart<One> = One extends { readonly accountPart: AccountPart<infer Own> } ? Own : never;
type AddedExport<One> = One extends { readonly exportPerson: (...given: never) => Promise<infer Own> }
  ? Own
  : never;

/** What capabilities add to an account in a file, and to the export of a person. */
type Part = All<AddedPart<Listed>>;
type Person = All<AddedExport<Listed>>;

/**
 * The API for administrators. It is used by the command line, the local environment and tests, and cannot be reached over HTTP.
 */
export type Directory = CoreDirectory<Part, Person> & AddedDirectory;

/** Every recorded event, and what its owner learns of it. */
const events = merged<Slots['auditEvents']>([clientEvents, ...capabilities.map((one) => one.auditEvents)]);

/** The names of the recorded events. */
export const auditEvents: readonly string[] = Object.keys(events);

/** The functions of all capabilities, combined. */
export const slots: Slots = {
  auditEvents: events,
  noticeTexts: merged<Slots['noticeTexts']>(capabilities.map((one) => one.noticeTexts)),
  accountChanges: capabilities.flatMap(({ accountChanges = [] }) => accountChanges),
  userAttributes: joined(capabilities.map((one) => one.userAttributes)),
  sessionAttributes: joined(capabilities.map((one) => one.sessionAttributes)),
  notifiers: (settings) => capabilities.flatMap(({ notify }) => notify?.(settings) ?? []),
  signatures: capabilities.find((one) => one.signatures !== undefined)?.signatures,
  mailRequests: channels(capabilities.map(({ mailRequests = [] }) => mailRequests)),
  posts: channels(capabilities.map(({ posts = [] }) => posts)),
  challengeStarted: inOrder(capabilities.map((one) => one.challengeStarted)),
  challengePassed: inOrder(capabilities.map((one) => one.challengePassed)),
  afterPasswordReset: inOrder(capabilities.map((one) => one.afterPasswordReset)),
  accountWritten: inOrder(capabilities.map((one) => one.accountWritten)),
  afterEmailChange: inOrder(capabilities.map((one) => one.afterEmailChange)),
  endAccess: inOrder(capabilities.map((one) => one.endAccess)),
  elementsAdded: inOrder(capabilities.map((one) => one.elementsAdded)),
  mailSent: inOrder(capabilities.map((one) => one.mailSent)),
  keyAttributes: joined(capabilities.map((one) => one.keyAttributes)),
  checkClient: inOrder(capabilities.map((one) => one.checkClient)),
  clientRemoved: inOrder(capabilities.map((one) => one.clientRemoved)),
  beforeErasure: joined(capabilities.map((one) => one.beforeErasure)),
  activityDetails: joined(capabilities.map((one) => one.activityDetails)),
  cleanUp: inOrder(capabilities.map((one) => one.cleanUp)),
  afterDenial: inOrder(capabilities.map((one) => one.afterDenial)),
  checkNewPassword: inOrder(capabilities.map((one) => one.checkNewPassword)),
  afterPasswordProof: inOrder(capabilities.map((one) => one.afterPasswordProof)),
};

/** The migrations of the schema, by name. */
export const migrations = merged([coreMigrations, ...capabilities.map((one) => one.migrations)]);

export const directoryParts: DirectoryParts<AddedDirectory, Part, Person> = {
  objects: (...given) =>
    merged<object>(capabilities.map(({ directory }) => directory?.(...given))) as AddedDirectory,
  snapshot: async (db) => {
    const restores: ((trx: Kysely<Tables>) => Promise<void>)[] = [];
    for (const { snapshot } of capabilities) if (snapshot !== undefined) restores.push(await snapshot(db));
    return inOrder(restores);
  },
  // The schemas of the parts have checked the accounts.
  accountParts: capabilities.flatMap(
    ({ accountPart }) => accountPart ?? [],
  ) as readonly unknown[] as readonly AccountPart<Part>[],
  exportPerson: joined(capabilities.map((one) => one.exportPerson)) as () => Promise<Person>,
};

/** Starts the periodic work of the capabilities. @returns stops it. */
export const startWork = async (
  ...given: Parameters<NonNullable<Capability['work']>>
): Promise<() => Promise<void>> => {
  const stops = await Promise.all(capabilities.flatMap(({ work }) => work?.(...given) ?? []));
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
};

/** Ends the long calls of the capabilities. */
export const closeCapabilities = inOrder(capabilities.map(({ close }) => close));

/** Makes what the capabilities add to the context of the operations. */
export const decorations = joined(capabilities.map(({ decorate }) => decorate));

const settings = capabilities.flatMap((one) => one.settings ?? []);
const deployments = settings.flatMap(({ deployment }) => deployment ?? []);

/** The settings of the capabilities. */
export const settingsParts = {
  defaults: merged<Partial<Settings>>(settings.map(({ defaults }) => defaults)),
  read: ((...given) =>
    merged(settings.map(({ read }) => read(...given)))) satisfies SettingsPart<Settings>['read'],
  check: (given: ServiceSettings): void => {
    for (const { check } of settings) check?.(given);
  },
  deploymentKeys: merged<v.ObjectEntries>(deployments.map(({ keys }) => keys)),
  /** The extensions that a key of the file is for, by the key. */
  ownersOfKeys: capabilities
    .flatMap(({ name, settings: { deployment } = { deployment: undefined } }) =>
      (deployment?.ownKeys ?? []).map((key) => ({ name, key })),
    )
    .reduce<Readonly<Record<string, readonly string[]>>>(
      (owners, { name, key }) => ({ ...owners, [key]: [...(owners[key] ?? []), name] }),
      {},
    ),
  followingVariables: deployments.flatMap(({ names }) => names),
  variablesOf: (...given: Parameters<(typeof deployments)[number]['variables']>) =>
    merged(deployments.map(({ variables }) => variables(...given))),
};

/** The files that the hosts of the page serve, with the name of their capability. */
export const extensionFiles = (page: AppConfig): readonly ExtensionFile[] =>
  capabilities.flatMap(({ name, settings }) =>
    Object.entries(settings?.deployment?.files?.(page) ?? {}).map(([path, json]) => ({ name, path, json })),
  );

/** The extensions, for the file of a new deployment. */
export const initParts: readonly (InitPart & Pick<Capability, 'name'>)[] = capabilities.flatMap(
  ({ name, init }) => (init === undefined ? [] : [{ name, ...init }]),
);

/** The features of the browser that the capabilities of the page need. */
export const permissionsOf = ({ extensions }: Pick<AppConfig, 'extensions'>): readonly string[] =>
  capabilities.flatMap(({ name, permissions = [] }) => (extensions.includes(name) ? permissions : []));

interface ExtensionFile {
  readonly name: string;
  readonly path: string;
  readonly json: string;
}

/** The routes of all capabilities outside the contract. */
export const foreignRoutes = (given: ServiceSettings): readonly ForeignRoute[] =>
  capabilities.flatMap(({ routes }) => routes?.(given) ?? []);

/** The operations of all capabilities, by call of the contract. */
export const operations = merged<Operations>(capabilities.map((one) => one.operations));

/** Runs what the capabilities have for an occasion, one after another: they may share a transaction. */
function inOrder<Given extends readonly unknown[]>(
  hooks: readonly (((...given: Given) => Promise<void>) | undefined)[],
): (...given: Given) => Promise<void> {
  const present = hooks.filter((hook) => hook !== undefined);
  return async (...given) => {
    for (const hook of present) await hook(...given);
  };
}

/** The same, and joins what they return. */
function joined<Given extends readonly unknown[], Part extends object>(
  hooks: readonly (((...given: Given) => Promise<Part>) | undefined)[],
): (...given: Given) => Promise<Part> {
  const present = hooks.filter((hook) => hook !== undefined);
  return async (...given) => {
    const parts: Part[] = [];
    for (const hook of present) parts.push(await hook(...given));
    return Object.assign({}, ...parts) as Part;
  };
}

/** @throws Error if two channels have the same name */
function channels<One extends { readonly name: string }>(lists: readonly (readonly One[])[]): readonly One[] {
  const named = lists.map((list) => Object.fromEntries(list.map((one) => [one.name, one])));
  return Object.values(merged(named));
}

/** @throws Error if two parts have the same key */
function merged<Whole extends object>(parts: readonly (Partial<Whole> | undefined)[]): Whole {
  const keys = parts.flatMap((part = {}) => Object.keys(part));
  const twice = keys.find((key, at) => keys.indexOf(key) !== at);
  if (twice !== undefined) throw new Error(`'${twice}' is defined twice.`);
  return Object.assign({}, ...parts) as Whole;
}
