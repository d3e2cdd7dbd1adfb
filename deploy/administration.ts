import { text } from 'node:stream/consumers';
import { InvalidArgumentError, Option, type Command } from 'commander';
import {
  auditEvents,
  createService,
  LinkNotGiven,
  type Account,
  type AccountMethod,
  type AuditEvent,
  type Directory,
  type MessageChoice,
} from '../service';
import { outboxOf, stderrLogger } from '../service/start';
import { readEnvironment, withSecretFiles } from '../service/settings/environment';

interface NewAccount {
  readonly email?: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly application?: readonly string[];
  readonly method?: readonly string[];
  readonly passwordStdin?: true;
  readonly mustSetUpMfa?: true;
}

interface AuditListOptions {
  readonly user?: string;
  readonly since?: Date;
  readonly event?: AuditEvent;
}

/** A command was not given right, or there is no such account; the message is for the administrator. */
class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** `vestibule accounts …`: the administrator's commands, with the variables of the service. Secrets are read from standard input only. */
export function addAccountCommands(program: Command): void {
  const accounts = program.command('accounts').description('create, invite, lock and erase accounts');

  accounts
    .command('create')
    .description('create an account; without a password, send the invitation with `accounts invite`')
    .argument('<username>')
    .option('--email <address>', 'default: the username')
    .requiredOption('--first-name <name>')
    .requiredOption('--last-name <name>')
    .option(
      '--application <group=address>',
      'an application that the account may open; may be repeated',
      collect,
    )
    .option(
      '--method <method>',
      'basic (default), google, or microsoft:TENANT:CLIENT; may be repeated',
      collect,
    )
    .option('--password-stdin', 'read the password from standard input')
    .option('--must-set-up-mfa', 'the next sign-in sets two-step verification up')
    .action((username: string, options: NewAccount) =>
      withDirectory((directory) => create(directory, username, options)),
    );

  accounts
    .command('show')
    .description('print an account as JSON, without secrets')
    .argument('<username>')
    .action((username: string) =>
      withDirectory(async (directory) => {
        const { mfa, ...account } = await find(directory, username);
        print({ ...account, mfa: mfa === null ? null : mfa.type });
      }),
    );

  accounts
    .command('invite')
    .description('mail the link that activates an account; with --print it is printed instead')
    .argument('<username>')
    .option('--print', 'print the link, and mail nothing')
    .action((username: string, options: { readonly print?: true }) =>
      withDirectory(async (directory) => {
        const link = await directory.inviteUser(username, { mail: options.print !== true });
        print(options.print === true ? { url: link.url } : { invited: username });
      }),
    );

  simple('lock', 'lock the password of an account', 'locked', (directory, username) =>
    directory.lock(username),
  );
  simple('unlock', 'forget failed attempts', 'unlocked', (directory, username) => directory.unlock(username));
  simple('end-sessions', 'end every session of an account', 'sessionsEnded', (directory, username) =>
    directory.endSessions(username),
  );
  simple('erase', 'remove an account with all that belongs to it', 'erased', (directory, username) =>
    directory.removeAccount(username),
  );

  function simple(
    name: string,
    description: string,
    done: string,
    work: (directory: Directory, username: string) => Promise<void>,
  ): void {
    accounts
      .command(name)
      .description(description)
      .argument('<username>')
      .action((username: string) =>
        withDirectory(async (directory) => {
          await find(directory, username);
          await work(directory, username);
          print({ [done]: username });
        }),
      );
  }
}

/** `vestibule audit …`: docs/operating.md#what-happened. */
export function addAuditCommands(program: Command): void {
  const audit = program.command('audit').description('read what happened');
  audit
    .command('list')
    .description('print the entries of the audit log, oldest first, each as a line of JSON')
    .option('--user <username>', 'only those of an account')
    .option(
      '--since <time>',
      'only later ones: 2026-03-01, 2026-03-01T09:30Z, or how long ago: 90m, 24h, 7d',
      timeFrom,
    )
    .addOption(new Option('--event <event>', 'only those of one kind').choices(auditEvents))
    .action(({ user, since, event }: AuditListOptions) => {
      const filter = {
        ...(user === undefined ? {} : { username: user }),
        ...(since === undefined ? {} : { since }),
        ...(event === undefined ? {} : { event }),
      };
      // The reader of a pipe has seen enough (`| head`).
      process.stdout.once('error', () => process.exit());
      return withDirectory(async (directory) => {
        if (user !== undefined) await find(directory, user);
        for await (const entry of directory.auditLog(filter)) print(entry);
      });
    });
}

/** `vestibule keys …`: docs/operating.md#keys. */
export function addKeyCommands(program: Command): void {
  const keys = program.command('keys').description('rotate the keys of the service');
  keys
    .command('rotate')
    .description('publish a new signing key, which signs a quarter of an hour later')
    .action(() =>
      withDirectory(async (directory) => {
        print(await directory.rotateSigningKey());
      }),
    );
  keys
    .command('reseal')
    .description('encrypt the secrets of the database with the first key of ENCRYPTION_KEY')
    .action(() =>
      withDirectory(async (directory) => {
        print({ resealed: await directory.resealSecrets() });
      }),
    );
}

/** `vestibule outbox …`: docs/operating.md#messages. */
export function addOutboxCommands(program: Command): void {
  const outbox = program.command('outbox').description('messages that were not sent yet, or were given up');
  outbox
    .command('list')
    .description('print them as JSON lines, never what they say or to whom they go')
    .option('--failed', 'only those that were given up')
    .action(({ failed }: { readonly failed?: true }) =>
      withDirectory(async (directory) => {
        for (const message of await directory.pendingMessages())
          if (failed !== true || message.state === 'failed') print(message);
      }),
    );
  choosing('retry', 'try messages that were given up for another day', async (directory, choice) => ({
    retried: await directory.retryMessages(choice),
  }));
  choosing('drop', 'remove messages; they are not sent', async (directory, choice) => ({
    dropped: await directory.dropMessages(choice),
  }));

  function choosing(
    name: string,
    description: string,
    work: (directory: Directory, choice: MessageChoice) => Promise<object>,
  ): void {
    outbox
      .command(name)
      .description(description)
      .argument('[ids...]')
      .option('--failed', 'all that were given up')
      .action((ids: readonly string[], { failed }: { readonly failed?: true }) =>
        withDirectory(async (directory) => {
          if ((failed === true) === ids.length > 0)
            throw new CommandError('Give the ids of messages, or --failed for all that were given up.');
          print(await work(directory, failed === true ? 'failed' : ids));
        }),
      );
  }
}

async function create(directory: Directory, username: string, options: NewAccount): Promise<void> {
  if ((await directory.findAccount(username)) !== null)
    throw new CommandError(`There is an account '${username}' already.`);
  const password = options.passwordStdin === true ? (await text(process.stdin)).replace(/\r?\n$/, '') : null;
  if (password === '') throw new CommandError('The password on standard input is empty.');
  const { uid } = await directory.upsertAccount({
    username,
    email: options.email ?? username,
    firstName: options.firstName,
    lastName: options.lastName,
    password,
    methods: (options.method ?? ['basic']).map(methodFrom),
    personas: personasFrom(options.application ?? []),
    mfa: null,
    mustSetUpMfa: options.mustSetUpMfa ?? false,
    lastReset: null,
  });
  print({ created: username, uid });
}

async function find(directory: Directory, username: string): Promise<Account> {
  const account = await directory.findAccount(username);
  if (account === null) throw new CommandError(`There is no account '${username}'.`);
  return account;
}

function methodFrom(given: string): AccountMethod {
  const [method, tenantId, clientId] = given.split(':');
  if ((method === 'basic' || method === 'google') && tenantId === undefined) return { method };
  if (method === 'microsoft' && tenantId !== undefined && clientId !== undefined)
    return { method, configuration: { tenantId, clientId } };
  throw new CommandError(`--method ${given}: give basic, google, or microsoft:TENANT:CLIENT.`);
}

function personasFrom(given: readonly string[]): Record<string, { applicationUrl: string }[]> {
  const personas: Record<string, { applicationUrl: string }[]> = {};
  for (const one of given) {
    const at = one.indexOf('=');
    const applicationUrl = one.slice(at + 1);
    if (at < 1 || !URL.canParse(applicationUrl))
      throw new CommandError(
        `--application ${one}: give GROUP=ADDRESS, such as ledger=https://ledger.example.com/.`,
      );
    (personas[one.slice(0, at)] ??= []).push({ applicationUrl });
  }
  return personas;
}

const unitMilliseconds = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

function timeFrom(given: string): Date {
  const [, count, unit] = /^([0-9]{1,6})([mhd])$/.exec(given) ?? [];
  const time =
    count === undefined
      ? Date.parse(given)
      : Date.now() - Number(count) * unitMilliseconds[unit as keyof typeof unitMilliseconds];
  if (Number.isNaN(time)) throw new InvalidArgumentError('Give a time such as 2026-03-01T09:30Z, or 24h.');
  return new Date(time);
}

async function withDirectory(work: (directory: Directory) => Promise<void>): Promise<void> {
  const environment = readEnvironment(withSecretFiles(process.env));
  const service = await createService({
    ...environment.service,
    outbox: outboxOf(environment),
    logger: stderrLogger,
  });
  try {
    await work(service.directory);
  } catch (error) {
    if (error instanceof LinkNotGiven || error instanceof CommandError) {
      console.error(error.message);
      process.exitCode = 1;
    } else throw error;
  } finally {
    await service.close();
  }
}

function collect(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, value];
}

/** One JSON value a line, for scripts. */
function print(value: unknown): void {
  console.log(JSON.stringify(value));
}
