import { parseArgs } from 'node:util';
import { controlClient, ControlError } from './client.ts';
import { portFrom } from '../hosts.ts';
import type { LinkRequest } from '../links/linkRequest.ts';

const usage = `npm run invite -- user NAME@EXAMPLE.COM               an invitation; the account is made if there is none
npm run invite -- api NAME [MAIL@EXAMPLE.COM]         an invitation of an API user
npm run invite -- reset USERNAME                      a link to choose a new password
npm run invite -- magic USERNAME APPLICATION          a link that signs in: ledger or supplierHub
npm run invite -- --magic user|api|reset ...          the same form by way of a magic link
PORT=4010 npm run invite -- ...                       the environment on another port (default 4000)

The local environment has to run (npm start). The link is printed, and mailed into its outbox.`;

/** The arguments are not a request. */
class UsageError extends Error {}

function requestFrom(args: readonly string[]): LinkRequest | 'help' {
  const { values, positionals } = parsed(args);
  if (values.help === true) return 'help';
  const [kind, first, second, ...more] = positionals;
  if (more.length > 0) throw new UsageError(`Too many words: ${more.join(' ')}.`);
  if (kind === undefined || first === undefined) throw new UsageError('Say what link, and for whom.');
  const magic = values.magic === true;
  if (kind === 'api') {
    return {
      kind: 'api-invitation',
      name: first,
      magic,
      ...(second === undefined ? {} : { mailTo: second }),
    };
  }
  if (kind === 'magic') {
    if (second === undefined) throw new UsageError('Say which application the magic link leads to.');
    return { kind: 'magic', username: first, application: second, mail: true };
  }
  if (second !== undefined) throw new UsageError(`Too many words: ${second}.`);
  if (kind === 'user') return { kind: 'invitation', username: first, magic, mail: true };
  if (kind === 'reset') return { kind: 'reset', username: first, magic, mail: true };
  throw new UsageError(`There are no links of the kind '${kind}'.`);
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { help: { type: 'boolean' }, magic: { type: 'boolean' } },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : 'These are no arguments.');
  }
}

/**
 * Does what the arguments ask of the local environment.
 *
 * @param port as `PORT` says.
 * @returns what to print, and whether it was done.
 */
export async function invite(
  args: readonly string[],
  port: string | undefined,
): Promise<{ readonly done: boolean; readonly text: string }> {
  try {
    const request = requestFrom(args);
    if (request === 'help') return { done: true, text: usage };
    const { url, expiresAt } = await controlClient(portFrom(port)).makeLink(request);
    const text = `${url}\n\nIt works once, until ${new Date(expiresAt).toLocaleString()}.`;
    return { done: true, text };
  } catch (error) {
    return { done: false, text: wordsFor(error) };
  }
}

function wordsFor(error: unknown): string {
  if (error instanceof UsageError) return `${error.message}\n\n${usage}`;
  if (error instanceof ControlError) return error.reason ?? error.message;
  if (error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED') {
    return 'No local environment answers there. Start it with: npm start';
  }
  return error instanceof Error ? error.message : String(error);
}
