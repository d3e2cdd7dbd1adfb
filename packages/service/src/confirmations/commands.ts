import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { calculateJwkThumbprint } from 'jose';
import type { CommandTools } from '../capability.ts';
import { CommandError } from '../platform/commandError.ts';
import type { PaymentSettings } from './settings.ts';
import { faultOf, type Evidence } from './evidence.ts';

/** What confirmations add to the directory. */
export interface ConfirmationObjects {
  /** The evidence of payments. */
  readonly confirmations: {
    /** The evidence of an account, of the pseudonym of an erased one, or of all, oldest first. Throws for an unknown username. */
    readonly list: (owner?: string) => Promise<readonly Evidence[]>;
  };
}

/** `vestibule confirmations …`: docs/payments.md#for-operators. */
export function addConfirmationCommands(
  program: Command,
  { find, print, withDirectory }: CommandTools<PaymentSettings, ConfirmationObjects>,
): void {
  const confirmations = program.command('confirmations').description('payments that users confirm');
  confirmations
    .command('list')
    .description(
      'print the confirmations that have ended with their proofs, oldest first, each as a line of JSON',
    )
    .option('--user <name>', 'only those of this account, or of the pseudonym of an erased one')
    .action(({ user }: { readonly user?: string }) =>
      withDirectory(async (directory) => {
        const isErased = user?.startsWith('erased-') !== false;
        const owner = isErased ? user : (await find(directory.accounts, user)).username;
        for (const one of await directory.confirmations.list(owner)) print(one);
      }),
    );
  confirmations
    .command('verify')
    .description(
      'verify receipts and signatures that `confirmations list` has printed, without a network or a database',
    )
    .argument('<file>', 'lines of JSON')
    .action(async (file: string) => {
      let faults = 0;
      for (const one of evidenceIn(file)) {
        const { id, state, receiptKey } = one;
        const fault = await faultOf(one);
        if (fault !== null) faults += 1;
        const key = fault === null && receiptKey ? await calculateJwkThumbprint(receiptKey) : undefined;
        print({ id, valid: fault === null, ...(fault === null ? { state, key } : { fault }) });
      }
      if (faults > 0) throw new CommandError(`${faults} of them are not valid.`);
    });
}

function evidenceIn(file: string): readonly Partial<Evidence>[] {
  try {
    const lines = readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line.trim() !== '');
    // A line may be `null`.
    return lines.map((line) => (JSON.parse(line) as Evidence | null) ?? {});
  } catch (error) {
    throw new CommandError(`The file cannot be read: ${error instanceof Error ? error.message : file}`);
  }
}
