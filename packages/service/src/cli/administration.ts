import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { userInfo } from 'node:os';
import { InvalidArgumentError, Option, program, type Command } from 'commander';
import {
  auditEvents,
  createService,
  LinkNotGiven,
  type Account,
  type AccountDirectory,
  type Directory,
  type MessageChoice,
  type MessageDirectory,
} from '../index.ts';
import type { CommandTools } from '../capability.ts';
import { isNetwork } from '../platform/addresses.ts';
import { CommandError } from '../platform/commandError.ts';
import { outboxOf, stderrLogger } from '../start.ts';
import { writeMail } from '../platform/mails/letter.ts';
import { readEnvironment } from '../environment.ts';
import { worded } from '../platform/texts/texts.ts';
import { variables } from './deploymentInUse.ts';
import { outboxTexts } from './outbox.messages.ts';

interface AuditListOptions {
  readonly user?: string;
  readonly since?: Date;
  readonly until?: Date;
  readonly event?: string;
  readonly network?: string;
  readonly client?: string;
}

/** `vestibule audit …`: docs/operations.md#what-happened. */
export function addAuditCommands(program: Command): void {
  const audit = program.command('audit').description('read the audit log');
  audit
    .command('list')
    .description('print the entries of the audit log, oldest first, each as a line of JSON')
    .option('--user <name>', 'only entries of this account')
    .option(
      '--since <time>',
      'only later entries: 2026-03-01, 2026-03-01T09:30Z, or how long ago: 90m, 24h, 7d',
      timeFrom,
    )
    .option('--until <time>', 'only earlier entries', timeFrom)
    .addOption(new Option('--event <event>', 'only entries of this event').choices(auditEvents))
    .option('--network <network>', 'only entries from this address, or range in CIDR notation', networkFrom)
    .option('--client <id>', 'only entries of this client')
    .action(({ user, ...filter }: AuditListOptions) =>
      withDirectory(async (directory) => {
        const account =
          user === undefined ? {} : { username: (await find(directory.accounts, user)).username };
        await printEach(directory.auditLog.read({ ...filter, ...account }));
      }),
    );
}

/** `vestibule keys …`: docs/operations.md#keys. */
export function addKeyCommands(program: Command): void {
  const keys = program.command('keys').description('rotate the keys of the service');
  keys
    .command('rotate')
    .description('publish a new signing key, which signs after 15 minutes')
    .action(() =>
      withDirectory(async (directory) => {
        print(await directory.keys.rotate());
      }),
    );
  keys
    .command('reseal')
    .description('encrypt the secrets of the database with the first key of ENCRYPTION_KEY')
    .action(() =>
      withDirectory(async (directory) => {
        print({ resealed: await directory.keys.reseal() });
      }),
    );
  keys
    .command('list')
    .description('print the signing keys, oldest first, each as a line of JSON')
    .action(() =>
      withDirectory(async (directory) => {
        for (const key of await directory.keys.list()) print(key);
      }),
    );
  keys
    .command('revoke')
    .description(
      `remove a compromised signing key at once; if it was the current one, a new one signs. ${revokedKey}`,
    )
    .argument('<kid>', 'after -- if it starts with a hyphen')
    .action((kid: string) =>
      withDirectory(async (directory) => {
        const signs = await directory.keys.revoke(kid);
        if (signs === null) throw new CommandError(`There is no signing key '${kid}'.`);
        console.error(revokedKey);
        print({ revoked: kid, signs });
      }),
    );
}

const revokedKey =
  'Session tokens, setup tokens and trusted devices that it has signed are refused from now on; sessions go on with their next refresh. Applications that cache the key set accept its tokens for at most five more minutes.';

/** `vestibule api-keys …`: docs/operations.md#keys. */
export function addApiKeyCommands(program: Command): void {
  const apiKeys = program.command('api-keys').description('keys of API users');
  apiKeys
    .command('list')
    .description('print the keys, oldest first, each as a line of JSON; secrets are not stored')
    .action(() =>
      withDirectory(async (directory) => {
        for (const key of await directory.links.apiKeys()) print(key);
      }),
    );
  apiKeys
    .command('revoke')
    .description('revoke a key at once; with --user all keys and open invitations of an API user')
    .argument('[key]')
    .option('--user <name>', 'the API user')
    .action((apiKey: string | undefined, { user: apiUser }: { readonly user?: string }) =>
      withDirectory(async (directory) => {
        if ((apiKey === undefined) === (apiUser === undefined))
          throw new CommandError('Give a key, or the name of an API user with --user.');
        const choice = apiUser === undefined ? { apiKey: apiKey ?? '' } : { apiUser };
        const revoked = await directory.links.revokeApiKeys(choice);
        if (apiKey !== undefined && revoked.length === 0) throw new CommandError('There is no such key.');
        print({ revoked });
      }),
    );
}

/** `vestibule outbox …`: docs/operations.md#messages. */
export function addOutboxCommands(program: Command): void {
  const outbox = program.command('outbox').description('unsent messages, and those that were given up');
  outbox
    .command('list')
    .description('print the messages, each as a line of JSON, without content and recipient')
    .option('--failed', 'only messages that were given up')
    .action(({ failed }: { readonly failed?: true }) =>
      withDirectory(async (directory) => {
        for (const message of await directory.messages.pending())
          if (failed !== true || message.state === 'failed') print(message);
      }),
    );
  choosing('retry', 'retry messages that were given up, for another day', async (messages, choice) => ({
    retried: await messages.retry(choice),
  }));
  choosing('drop', 'remove messages without sending them', async (messages, choice) => ({
    dropped: await messages.drop(choice),
  }));
  outbox
    .command('test')
    .description('send a message at once, and print whether the mail server or the provider accepted it')
    .argument('<recipient>', 'an e-mail address, or a phone such as +12025550143')
    .action(sendTest);

  function choosing(
    name: string,
    description: string,
    work: (messages: MessageDirectory, choice: MessageChoice) => Promise<object>,
  ): void {
    outbox
      .command(name)
      .description(description)
      .argument('[ids...]')
      .option('--failed', 'all messages that were given up')
      .action((ids: readonly string[], { failed }: { readonly failed?: true }) =>
        withDirectory(async (directory) => {
          if ((failed === true) === ids.length > 0)
            throw new CommandError('Give the ids of messages, or --failed for all that were given up.');
          print(await work(directory.messages, failed === true ? 'failed' : ids));
        }),
      );
  }
}

/**
 * Sends a message with the configured sender, without queue and limits.
 *
 * @throws CommandError if no sender is configured; MessageRefused or MessageDelayed with the reason.
 */
async function sendTest(to: string): Promise<void> {
  const environment = readEnvironment(variables());
  const { sendMail, sendTextMessage } = outboxOf(environment);
  const text = outboxTexts.text(environment.service.productName ?? 'Vestibule');
  const [language = 'en'] = environment.service.languages ?? [];
  const delivery = { id: randomUUID(), lifeSeconds: null };
  if (to.startsWith('+')) {
    if (sendTextMessage === undefined) throw new CommandError('No sender of text messages is configured.');
    await sendTextMessage({ to, text: worded(text, language) }, delivery);
    print({ accepted: 'text' });
  } else {
    if (sendMail === undefined) throw new CommandError('No mail server is configured.');
    const letter = { subject: outboxTexts.subject, parts: [text] };
    await sendMail(writeMail(to, letter, language, environment.service.mailLook), delivery);
    print({ accepted: 'mail' });
  }
}

/** Finds an account by its username or its uid. @throws CommandError if there is no such account. */
export async function find(accounts: AccountDirectory, name: string): Promise<Account> {
  const account =
    (await accounts.find(name)) ?? (await accounts.find((await accounts.usernameOf(name)) ?? name));
  if (account === null) throw new CommandError(`There is no account '${name}'.`);
  return account;
}

/** Parses a network: an address, or a range in CIDR notation. */
export function networkFrom(given: string): string {
  if (!isNetwork(given)) throw new InvalidArgumentError('Give an address, or a range such as 192.0.2.0/24.');
  return given;
}

const unitMilliseconds = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Parses a time: a date, or how long ago. */
export function timeFrom(given: string): Date {
  const [, count, unit] = /^([0-9]{1,6})([mhd])$/.exec(given) ?? [];
  const time =
    count === undefined
      ? Date.parse(given)
      : Date.now() - Number(count) * unitMilliseconds[unit as keyof typeof unitMilliseconds];
  if (Number.isNaN(time)) throw new InvalidArgumentError('Give a time such as 2026-03-01T09:30Z, or 24h.');
  return new Date(time);
}

/**
 * Runs work on the database that the environment variables configure. Errors of a command are printed as a sentence.
 */
export async function withDirectory(work: (directory: Directory) => Promise<void>): Promise<void> {
  const environment = readEnvironment(variables());
  const service = await createService({
    ...environment.service,
    schema: 'require',
    outbox: outboxOf(environment),
    logger: stderrLogger,
    administrator: administratorName(),
  });
  try {
    await work(service.directory);
  } catch (error) {
    if (error instanceof LinkNotGiven || error instanceof CommandError) {
      console.error(printable(error.message));
      process.exitCode = 1;
    } else throw error;
  } finally {
    await service.close();
  }
}

/**
 * The name of the administrator. The login comes first, because the user of `runuser` is that of the service. Who runs the command by sudo
 * cannot choose another name; elsewhere a chosen one stands before the login.
 *
 * @throws CommandError for a name that is chosen with sudo.
 */
function administratorName(): string {
  const { SUDO_USER, LOGNAME } = process.env;
  const { as: chosen } = program.opts<{ readonly as?: string }>();
  if (SUDO_USER !== undefined && chosen !== undefined)
    throw new CommandError(`With sudo the audit log names '${SUDO_USER}': leave out --as.`);
  const login = SUDO_USER ?? LOGNAME ?? userInfo().username;
  return chosen === undefined ? login : `${chosen} (${login})`;
}

/** Prints one JSON value per line, for scripts. */
export function print(value: unknown): void {
  console.log(printable(JSON.stringify(value)));
}

/** Escapes control characters as JSON does, so that the text cannot control a terminal. */
export function printable(text: string): string {
  return text.replace(
    /\p{Cc}/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Prints a line for each value, at the speed of the reader. The reader of a pipe may stop early (`| head`). */
export async function printEach(values: AsyncIterable<unknown>): Promise<void> {
  process.stdout.once('error', () => process.exit());
  for await (const value of values) {
    if (!process.stdout.write(`${printable(JSON.stringify(value))}\n`)) await once(process.stdout, 'drain');
  }
}

/** What the help says of an argument that names an account. */
export const nameOfAccount = 'the username, or the uid';

/** Adds a command that prints a line of JSON for each entry of an account. */
function list(
  accounts: Command,
  name: string,
  description: string,
  read: (directory: Directory, username: string) => Promise<readonly object[]>,
): void {
  accounts
    .command(name)
    .description(`${description}, each as a line of JSON`)
    .argument('<name>', nameOfAccount)
    .action((name: string) =>
      withDirectory(async (directory) => {
        const { username } = await find(directory.accounts, name);
        for (const entry of await read(directory, username)) print(entry);
      }),
    );
}

/** The tools for the commands of capabilities. */
export const commandTools: CommandTools = {
  options: () => readEnvironment(variables()).service,
  print,
  withDirectory,
  find,
  list,
};
