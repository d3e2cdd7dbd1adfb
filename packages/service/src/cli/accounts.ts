import { text } from 'node:stream/consumers';
import { InvalidArgumentError, Option, type Command } from 'commander';
import type {
  Account,
  AccountChanges,
  AccountDirectory,
  AccountFilter,
  Directory,
  FileAccount,
  ProviderIdentity,
} from '../index.ts';
import { usernameKey } from '../core/database/usernameKey.ts';
import { capabilities } from '../capabilities.ts';
import { CommandError } from '../platform/commandError.ts';
import { directoryParts } from '../slots.ts';
import {
  FileFault,
  methodFrom,
  personasFrom,
  readAccountFile,
  ValueFault,
  type AccountFormat,
} from './accountFile.ts';
import {
  commandTools,
  find,
  nameOfAccount,
  networkFrom,
  print,
  printable,
  printEach,
  timeFrom,
  withDirectory,
} from './administration.ts';

interface NewAccount {
  readonly email?: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly application?: readonly string[];
  readonly method?: readonly string[];
  readonly passwordStdin?: true;
  readonly mustSetUpMfa?: true;
}

/**
 * `vestibule accounts …`: commands for administrators, with the environment variables of the service. Secrets are
 * read from standard input only.
 */
export function addAccountCommands(program: Command): void {
  const accounts = program
    .command('accounts')
    .description('create, invite, change, reset, disable, lock, erase, list, import and export accounts');

  accounts
    .command('create')
    .description('create an account; without a password, send the invitation with `accounts invite`')
    .argument('<username>')
    .option('--email <address>', 'default: the username')
    .requiredOption('--first-name <name>')
    .requiredOption('--last-name <name>')
    .option(
      '--application <group=address>',
      'an application that the user may open; may be repeated',
      collect,
    )
    .option(
      '--method <method>',
      'basic (default), google, or microsoft:TENANT:CLIENT; may be repeated',
      collect,
    )
    .option('--password-stdin', 'read the password from standard input')
    .option('--must-set-up-mfa', 'require two-step verification to be set up at the next sign-in')
    .action((username: string, options: NewAccount) =>
      withDirectory((directory) => create(directory.accounts, username, options)),
    );

  accounts
    .command('show')
    .description('print an account as JSON, without secrets')
    .argument('<name>', nameOfAccount)
    .action(
      onAccount((_directory, { mfa, ...account }) =>
        Promise.resolve({ ...account, mfa: mfa === null ? null : mfa.type }),
      ),
    );

  accounts
    .command('invite')
    .description('mail the link that activates an account; with --print it is printed instead')
    .argument('<name>', nameOfAccount)
    .addOption(new Option('--print', 'print the link without mailing it').conflicts('language'))
    .option('--language <tag>', 'the language of the mail; default: the language of the account')
    .action(
      onAccount(
        async (
          directory,
          { username },
          { print, language }: { readonly print?: true; readonly language?: string },
        ) => {
          const { url } = await directory.links.inviteUser(username, { mail: print !== true, language });
          return print === true ? { url } : { invited: username };
        },
      ),
    );

  addHelpDesk(accounts);
  addTransfer(accounts);

  addStates(accounts);
  for (const { accountCommands } of capabilities) accountCommands?.(accounts, commandTools);
  addErase(accounts);
}

function addErase(accounts: Command): void {
  accounts
    .command('erase')
    .description('remove an account and its data; evidence stays under a pseudonym until its time is over')
    .argument('<name>', nameOfAccount)
    .option('--with-evidence', 'remove evidence too, such as that of confirmed payments')
    .action(
      onAccount(async (directory, { username }, { withEvidence = false }: { withEvidence?: boolean }) => {
        const evidence = await directory.accounts.remove(username, { withEvidence });
        const counted = Object.entries(evidence).filter(([, count]) => count > 0);
        const what = counted.map(([kind, count]) => `${kind}: ${count}`).join(', ');
        const done = withEvidence ? 'Removed as well' : 'Kept as evidence, without --with-evidence';
        if (counted.length > 0) console.error(`${done}: ${what}.`);
        return { erased: username, ...(counted.length > 0 ? { evidence } : {}) };
      }),
    );
}

interface Period {
  readonly since?: Date;
  readonly until?: Date;
}

/** Adds the commands for the state of an account and its sessions. */
function addStates(accounts: Command): void {
  simple(
    accounts,
    'disable',
    'disable an account until `accounts enable`: all its sessions, tokens and links end, and sign-in is refused. Applications that verify tokens themselves accept existing ones until they expire (ACCESS_TOKEN_SECONDS); API keys remain valid (`api-keys revoke`)',
    'disabled',
    ({ disable }, username) => disable(username),
  );
  simple(
    accounts,
    'enable',
    'enable a disabled account with its former password; ended sessions are not restored',
    'enabled',
    ({ enable }, username) => enable(username),
  );
  simple(
    accounts,
    'lock',
    'refuse the password of an account for LOCKOUT_SECONDS, as after failed attempts. Sessions, trusted devices, links, providers and known networks are not locked: use `accounts disable` for that',
    'locked',
    ({ lock }, username) => {
      console.error(
        'Only guesses at the password are locked. To disable the account, use `vestibule accounts disable`.',
      );
      return lock(username);
    },
  );
  simple(accounts, 'unlock', 'clear failed attempts', 'unlocked', ({ unlock }, username) => unlock(username));
  accounts
    .command('signed-in-from')
    .description(
      'print the accounts that have signed in from an address or a range, the latest first, each as a line of JSON',
    )
    .argument('<network>', 'such as 192.0.2.0/24; of an IPv6 address its /48', networkFrom)
    .option('--since <time>', 'only later sign-ins: 2026-03-01, or how long ago: 24h, 7d', timeFrom)
    .option('--until <time>', 'only earlier sign-ins', timeFrom)
    .action((network: string, period: Period) =>
      withDirectory(async (directory) => {
        for (const one of await directory.auditLog.signedInFrom(network, period)) print(one);
      }),
    );
  accounts
    .command('end-sessions')
    .description(
      'end all access of an account: sessions, setup tokens, sign-ins in progress, trusted devices and links; or only the sessions with these ids. Anyone with the password can sign in again: see `accounts disable`',
    )
    .argument('<name>', nameOfAccount)
    .argument('[ids...]', 'of `accounts sessions`')
    .action((name: string, ids: readonly string[]) =>
      withDirectory(async (directory) => {
        const { username } = await find(directory.accounts, name);
        const { endSessions, endSessionsById } = directory.accounts;
        await (ids.length === 0 ? endSessions(username) : endSessionsById(username, ids));
        print({ sessionsEnded: username });
      }),
    );
}

/** Adds a command that prints the username under a word. */
function simple(
  accounts: Command,
  name: string,
  description: string,
  done: string,
  work: (directory: AccountDirectory, username: string) => Promise<void>,
): void {
  accounts
    .command(name)
    .description(description)
    .argument('<name>', nameOfAccount)
    .action(
      onAccount(async (directory, { username }) => {
        await work(directory.accounts, username);
        return { [done]: username };
      }),
    );
}

/** Makes the action of a command on one account, which prints the result of `work`. */
function onAccount<Options>(
  work: (directory: Directory, account: Account, options: Options) => Promise<object>,
): (name: string, options: Options) => Promise<void> {
  return (name, options) =>
    withDirectory(async (directory) => {
      print(await work(directory, await find(directory.accounts, name), options));
    });
}

/** Adds the commands for a help desk (docs/operations.md#help-desk). */
function addHelpDesk(accounts: Command): void {
  accounts
    .command('change')
    .description(
      'change the username, the e-mail address or the name. With another address all access ends, and bindings to identities of providers are removed',
    )
    .argument('<name>', nameOfAccount)
    .option('--username <username>')
    .option('--email <address>')
    .option('--first-name <name>')
    .option('--last-name <name>')
    .action(
      onAccount(async (directory, { username, email }, changes: AccountChanges) => {
        if (Object.keys(changes).length === 0) throw new CommandError('Give at least one option.');
        const { username: other = username, email: address = email, ...names } = changes;
        if (usernameKey(other) !== usernameKey(username)) await refuseExisting(directory.accounts, other);
        const isMoved = address !== email;
        await directory.accounts.change(username, {
          ...names,
          username: other,
          ...(isMoved ? { email: address } : {}),
        });
        return { changed: other };
      }),
    );

  accounts
    .command('reset-two-step')
    .description(
      'remove the second factor, for example of a lost phone, and end all access. The next sign-in requires an enrolment',
    )
    .argument('<name>', nameOfAccount)
    .option('--optional', 'the next sign-in requires no enrolment')
    .action(
      onAccount(async (directory, { username, mfa }, { optional }: { readonly optional?: true }) => {
        if (mfa === null) throw new CommandError('The account has no second factor.');
        await directory.accounts.resetSecondFactor(username, { isOptional: optional === true });
        return { twoStepReset: username };
      }),
    );

  accounts
    .command('reset-password')
    .description('mail a link that sets a new password; with --print it is printed instead')
    .argument('<name>', nameOfAccount)
    .option('--print', 'print the link without mailing it')
    .action(
      onAccount(async (directory, { username }, options: { readonly print?: true }) => {
        const { url } = await directory.links.reset(username, { mail: options.print !== true });
        return options.print === true ? { url } : { mailed: username };
      }),
    );

  accounts
    .command('require-new-password')
    .description(
      'end all access. A sign-in with the present password is refused and mails a link that sets a new one',
    )
    .argument('<name>', nameOfAccount)
    .action(
      onAccount(async (directory, { username, hasPassword }) => {
        if (!hasPassword) throw new CommandError('The account has no password.');
        await directory.accounts.requireNewPassword(username);
        return { newPasswordRequired: username };
      }),
    );

  addIdentities(accounts);
}

function addIdentities(accounts: Command): void {
  accounts
    .command('bind-identity')
    .description('bind the account to an identity of a provider, and end its sessions')
    .argument('<name>', nameOfAccount)
    .addOption(providerOption())
    .requiredOption('--issuer <url>', '`iss` of its ID tokens')
    .requiredOption('--subject <id>', '`sub` of its ID tokens')
    .action(
      onAccount(
        async (directory, { username }, { provider, issuer, subject }: Binding & ProviderIdentity) => {
          await directory.accounts.bindIdentity(username, provider, { issuer, subject });
          return { bound: username };
        },
      ),
    );

  accounts
    .command('unbind-identity')
    .description(
      'remove the binding to an identity of a provider, and end all sessions. The next sign-in with the address of the account binds',
    )
    .argument('<name>', nameOfAccount)
    .addOption(providerOption())
    .action(
      onAccount(async (directory, { username }, { provider }: Binding) => {
        await directory.accounts.bindIdentity(username, provider, null);
        return { unbound: username };
      }),
    );
}

interface Binding {
  readonly provider: 'google' | 'microsoft';
}

function providerOption(): Option {
  return new Option('--provider <name>').choices(['google', 'microsoft']).makeOptionMandatory();
}

async function refuseExisting(accounts: AccountDirectory, username: string): Promise<void> {
  if ((await accounts.find(username)) !== null)
    throw new CommandError(`The account '${username}' already exists.`);
}

async function create(accounts: AccountDirectory, username: string, options: NewAccount): Promise<void> {
  await refuseExisting(accounts, username);
  const password = options.passwordStdin === true ? (await text(process.stdin)).replace(/\r?\n$/, '') : null;
  if (password === '') throw new CommandError('The password on standard input is empty.');
  const { uid } = await accounts.upsert({
    username,
    email: options.email ?? username,
    firstName: options.firstName,
    lastName: options.lastName,
    password,
    methods: given(() => (options.method ?? ['basic']).map(methodFrom)),
    personas: given(() => personasFrom(options.application ?? [])),
    mfa: null,
    mustSetUpMfa: options.mustSetUpMfa ?? false,
    lastReset: null,
  });
  print({ created: username, uid });
}

interface Filters {
  readonly search?: string;
  readonly method?: 'basic' | 'google' | 'microsoft';
  readonly twoStep?: 'app' | 'text' | 'on' | 'off';
  readonly application?: string;
  /** `--no-password` */
  readonly password?: boolean;
  readonly locked?: true;
  readonly disabled?: true;
  readonly createdSince?: Date;
  readonly after?: string;
  readonly limit?: number;
}

/** Adds `list`, `export` and `import`. */
function addTransfer(accounts: Command): void {
  filtered(
    accounts
      .command('list')
      .description('print accounts in the order of their usernames, each as a line of JSON'),
  ).action((filters: Filters) =>
    withDirectory((directory) =>
      printEach(limited(directory.accounts.list(filterFrom(filters)), filters.limit)),
    ),
  );

  accounts
    .command('export-person')
    .description(
      'print everything that the database holds about one person as JSON, without secrets, for a request of that person',
    )
    .argument('<name>', nameOfAccount)
    .action(onAccount((directory, { username }) => directory.accounts.exportPerson(username)));

  filtered(
    accounts
      .command('export')
      .description('print accounts in the format of `accounts import`, each as a line of JSON'),
  )
    .option('--with-password-hashes', 'include the hashes of passwords and of unused recovery codes')
    .option(
      '--with-sealed-secrets',
      'include the encrypted secrets of authenticator apps, which a service with the same ENCRYPTION_KEY can import',
    )
    .action((filters: Filters & { readonly withPasswordHashes?: true; readonly withSealedSecrets?: true }) =>
      withDirectory((directory) => {
        const choice = {
          passwordHashes: filters.withPasswordHashes === true,
          sealedSecrets: filters.withSealedSecrets === true,
        };
        return printEach(limited(directory.accounts.export(choice, filterFrom(filters)), filters.limit));
      }),
    );

  accounts
    .command('import')
    .description('create accounts of another system; existing ones are not changed')
    .argument('<file>', 'or - for standard input')
    .addOption(new Option('--format <format>', 'default: by the name of the file').choices(['jsonl', 'csv']))
    .option(
      '--application <group=address>',
      'for accounts without applications in the file; may be repeated',
      collect,
    )
    .option('--dry-run', 'report the outcome without writing')
    .addHelpText('after', fileFormat)
    .action((file: string, options: ImportOptions) =>
      withDirectory((directory) => importFile(directory.accounts, file, options)),
    );
}

function filtered(command: Command): Command {
  return command
    .option('--search <text>', 'part of the username, the e-mail address or the name')
    .addOption(new Option('--method <method>', 'a sign-in method').choices(['basic', 'google', 'microsoft']))
    .addOption(new Option('--two-step <kind>', 'two-step verification').choices(['app', 'text', 'on', 'off']))
    .option('--application <group>', 'accounts that may open it')
    .option('--no-password', 'accounts without a password: not activated yet, or only for a provider')
    .option('--locked', 'accounts whose password is locked at present')
    .option('--disabled', 'disabled accounts')
    .option('--created-since <time>', '2026-03-01, or how long ago: 24h, 7d', timeFrom)
    .option('--after <username>', 'only accounts after this one, where an earlier list ended')
    .option('--limit <count>', 'maximum number of accounts', countFrom);
}

function filterFrom({ search, method, twoStep, application, password, ...rest }: Filters): AccountFilter {
  const { locked, disabled, createdSince, after } = rest;
  return {
    ...(search === undefined ? {} : { search }),
    ...(method === undefined ? {} : { method }),
    ...(twoStep === undefined ? {} : { twoStep }),
    ...(application === undefined ? {} : { application }),
    ...(password === false ? { hasPassword: false } : {}),
    ...(locked === undefined ? {} : { isLocked: true }),
    ...(disabled === undefined ? {} : { isDisabled: true }),
    ...(createdSince === undefined ? {} : { createdSince }),
    ...(after === undefined ? {} : { after }),
  };
}

function countFrom(given: string): number {
  if (!/^[1-9][0-9]{0,8}$/.test(given)) throw new InvalidArgumentError('Give a whole number above 0.');
  return Number(given);
}

async function* limited<Value>(values: AsyncIterable<Value>, limit = Infinity): AsyncGenerator<Value> {
  let count = 0;
  for await (const value of values) {
    yield value;
    count += 1;
    if (count === limit) return;
  }
}

interface ImportOptions {
  readonly format?: AccountFormat;
  readonly application?: readonly string[];
  readonly dryRun?: true;
}

const fileFormat = `
Each line is a JSON object. Only username, firstName and lastName are required:
  email         default: the username
  uid           default: a new one
  language      of mails, such as pt-BR, one that the deployment offers; default: that of the first sign-in
  mustSetUpMfa, mustChangePassword, lastReset, createdAt, disabledAt
  methods       default [{"method":"basic"}]; google, or microsoft with configuration: {tenantId, clientId}
  personas      {"ledger":[{"applicationUrl":"https://…"}]}; default: by --application
  passwordHash  argon2 (PHC), bcrypt ($2a$, $2b$, $2y$), PBKDF2 with SHA-1, SHA-256 or SHA-512 (PHC, passlib), Django's forms of
                them, or a credential of Keycloak {credentialData, secretData}. Refused above about a second of a processor:
                bcrypt cost 14, argon2 256 MiB or 1 GiB in all passes, PBKDF2 5 million iterations
  mfa           {"type":"authy","phone","countryCode","authyId"} or {"type":"mfa","sealedSecret"}; without a secret the user
                enrols an app again at the next sign-in
${directoryParts.accountParts.map(({ help }) => help).join('\n')}
  identities    of google and microsoft, {issuer, subject}

In CSV the columns have these names, methods is 'basic google microsoft:TENANT:CLIENT', and applications is 'ledger=https://…'.

From Keycloak's export of a realm:
  jq -c '.users[] | {username, email, firstName, lastName} + (first(.credentials[]? | select(.type == "password")
    | {passwordHash: {credentialData, secretData}}) // {})' realm.json
`;

const batchSize = 500;
const progressMilliseconds = 2_000;

/** Imports in batches, each in a transaction, so that the same command continues an interrupted import. */
async function importFile(accounts: AccountDirectory, file: string, options: ImportOptions): Promise<void> {
  const isDry = options.dryRun === true;
  const format = options.format ?? (/\.csv$/i.test(file) ? 'csv' : 'jsonl');
  const personas = given(() => personasFrom(options.application ?? []));
  const counts = { lines: 0, created: 0, existing: 0, refused: 0 };
  const [repeatedUsername, repeatedUid] = [repetitions('username'), repetitions('uid')];
  let batch: { readonly line: number; readonly account: FileAccount }[] = [];
  let reportedAt = Date.now();
  const refuse = (line: number, fault: string): void => {
    counts.refused += 1;
    console.error(printable(`Line ${line}: ${fault}.`));
  };
  const write = async (): Promise<void> => {
    const outcomes = await accounts.import(
      batch.map(({ account }) => account),
      { isDry },
    );
    for (const [index, outcome] of outcomes.entries()) {
      if (typeof outcome === 'string') counts[outcome] += 1;
      else refuse(batch[index]?.line ?? 0, outcome.refused);
    }
    batch = [];
    if (Date.now() - reportedAt < progressMilliseconds) return;
    reportedAt = Date.now();
    const { lines, created, existing, refused } = counts;
    console.error(`${lines} accounts read: ${created} created, ${existing} existing, ${refused} refused.`);
  };
  try {
    for await (const read of readAccountFile(file, format, directoryParts.accountParts)) {
      counts.lines += 1;
      if ('fault' in read) {
        refuse(read.line, read.fault);
        continue;
      }
      const { line, account } = read;
      const fault = repeatedUsername(usernameKey(account.username), line) ?? repeatedUid(account.uid, line);
      if (fault !== null) {
        refuse(line, fault);
        continue;
      }
      const isOpen = Object.keys(account.personas).length > 0;
      batch.push({ line, account: isOpen ? account : { ...account, personas } });
      if (batch.length === batchSize) await write();
    }
    await write();
  } catch (error) {
    if (error instanceof FileFault) throw new CommandError(error.message);
    throw error;
  } finally {
    print({ ...(isDry ? { dryRun: true } : {}), ...counts });
  }
  if (counts.refused > 0) process.exitCode = 1;
}

/** @returns a function that reports an earlier line with the same value; `null` if there is none, or no value. */
function repetitions(key: keyof FileAccount): (value: string | undefined, line: number) => string | null {
  const lines = new Map<string, number>();
  return (value, line) => {
    if (value === undefined) return null;
    const earlier = lines.get(value);
    if (earlier !== undefined) return `${key} is that of line ${earlier} already`;
    lines.set(value, line);
    return null;
  };
}

/** Validates values of the command line. @throws CommandError */
function given<Value>(read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    throw error instanceof ValueFault ? new CommandError(`--${error.message}.`) : error;
  }
}

function collect(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, value];
}
