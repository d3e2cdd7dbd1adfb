import { readFileSync } from 'node:fs';
import { Option, type Command } from 'commander';
import * as v from 'valibot';
import { CommandError } from '../platform/commandError.ts';
import { authenticationLevels, clientFields, clientScopes, type ClientFields } from '../core/clientFields.ts';
import { capabilities } from '../capabilities.ts';
import { commandTools, print, withDirectory } from './administration.ts';

interface AddOptions {
  readonly name: string;
  readonly url?: string;
  readonly logo?: string;
  readonly redirect?: readonly string[];
  readonly postLogout?: readonly string[];
  readonly backchannelLogout?: string;
  readonly confirmationUri?: string;
  readonly initiateLogin?: string;
  readonly scope?: readonly string[];
  readonly consent?: true;
  readonly par?: true;
  readonly dpop?: true;
  readonly confirmations?: true;
  readonly jwksFile?: string;
  readonly jwksUri?: string;
  readonly persona?: string;
  readonly acr?: string;
  readonly idTokenAlgorithm?: string;
  readonly public?: true;
}

/** `vestibule clients …`: docs/operations.md#clients. */
export function addClientCommands(program: Command): void {
  const clients = program
    .command('clients')
    .description(
      'applications that sign in by OpenID Connect or have payments confirmed, besides those of the deployment file',
    );
  addAdd(clients);
  clients
    .command('list')
    .description('print the clients, also of the deployment file, each as a line of JSON, without secrets')
    .action(() =>
      withDirectory(async (directory) => {
        for (const client of await directory.clients.list()) print(client);
      }),
    );
  clients
    .command('rotate-secret')
    .description('make a new secret and print it; the former one stays valid for a while')
    .argument('<id>')
    .option('--keep <hours>', 'how long the former secret stays valid; 0 ends it at once', '24')
    .action((id: string, { keep }: { readonly keep: string }) =>
      withDirectory(async (directory) => {
        if (!/^\d{1,4}$/.test(keep)) throw new CommandError('--keep must be a whole number of hours.');
        print({ id, ...(await directory.clients.rotateSecret(id, Number(keep) * 3600)) });
      }),
    );
  clients
    .command('remove')
    .description('remove a client; its tokens end at once')
    .argument('<id>')
    .action((id: string) =>
      withDirectory(async (directory) => {
        await directory.clients.remove(id);
        print({ removed: id });
      }),
    );
  for (const { clientCommands } of capabilities) clientCommands?.(clients, commandTools);
}

function addAdd(clients: Command): void {
  clients
    .command('add')
    .description('add a client and print its secret, which is not shown again')
    .argument('<id>')
    .requiredOption('--name <name>', 'as users read it')
    .option('--url <address>', 'where the application is')
    .option('--logo <address>')
    .option('--redirect <address>', 'where codes are sent, exactly; may be repeated', collect)
    .option('--post-logout <address>', 'where the browser goes after a sign-out; may be repeated', collect)
    .option('--backchannel-logout <address>', 'where logout tokens are posted')
    .option('--confirmation-uri <address>', 'where the ends of confirmed payments are posted')
    .option('--initiate-login <address>', 'where its sign-in begins; default: at --url')
    .addOption(
      new Option(
        '--scope <scope>',
        'what it may ask for; may be repeated; default: profile, email and offline_access',
      )
        .choices(clientScopes)
        .argParser(collect),
    )
    .option('--consent', 'ask each user once, for applications of others')
    .option('--par', 'require pushed authorization requests')
    .option('--dpop', 'require tokens that are bound to a key')
    .option('--confirmations', 'it may have payments confirmed')
    .option('--jwks-file <file>', 'its public keys, for private_key_jwt instead of a secret')
    .option('--jwks-uri <address>', 'the same, at an address')
    .option('--persona <group>', 'only people who have this persona get in')
    .addOption(new Option('--acr <level>', 'the least level of authentication').choices(authenticationLevels))
    .addOption(new Option('--id-token-algorithm <algorithm>', 'default: RS256').choices(['ES256', 'RS256']))
    .option('--public', 'without a secret: for applications in browsers and on devices')
    .action((id: string, { public: isPublic, ...options }: AddOptions) =>
      withDirectory(async (directory) => {
        const added = await directory.clients.add(fieldsFrom(id, options), { isPublic: isPublic === true });
        print({ id, ...added });
      }),
    );
}

/** @throws CommandError naming the field that is wrong. */
function fieldsFrom(id: string, options: AddOptions): ClientFields {
  const { redirect, postLogout, backchannelLogout, initiateLogin, scope, jwksFile, ...others } = options;
  const given = {
    id,
    ...others,
    redirectUris: redirect,
    postLogoutRedirectUris: postLogout,
    backchannelLogoutUri: backchannelLogout,
    initiateLoginUri: initiateLogin,
    scopes: scope,
    jwks: jwksFile === undefined ? undefined : keysFrom(jwksFile),
  };
  const read = v.safeParse(clientFields, given);
  if (read.success) return read.output;
  const [issue] = read.issues;
  throw new CommandError(`${v.getDotPath(issue) ?? 'The client'} ${issue.message}.`);
}

function keysFrom(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    throw new CommandError(`${file} is no file with JSON.`);
  }
}

function collect(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, value];
}
