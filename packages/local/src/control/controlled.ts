import * as v from 'valibot';
import type { Service } from '@vestibule/service';
import { lockedUsername } from '../accounts.ts';
import type { HostHandler } from '../http/send.ts';
import type { EnvironmentOutbox } from '../outbox.ts';
import type { Behaviours } from '../providers/behaviour.ts';
import type { LinkOverHttp } from '../links/linkRequest.ts';
import type { ReadyLinks } from '../links/readyLinks.ts';
import { accountSchema } from './accountSchema.ts';
import { controlHost } from './controlHost.ts';
import { createFaults, type Faults } from './faults.ts';
import { createJournal, type Journal } from './journal.ts';
import { watchService } from './watchedService.ts';

/** The test's hands on an environment: what was asked, what goes wrong, and back to the beginning. */
export interface Controlled {
  readonly journal: Journal;
  readonly faults: Faults;
  /** What goes wrong at the providers. */
  readonly behaviours: Behaviours;
  /** Accounts as ready-made, no lockouts, empty journal and outbox, no faults, providers as at first. */
  readonly reset: () => Promise<void>;
  /** The service's host, behind journal and faults. */
  readonly api: HostHandler;
  /** The same over HTTP. */
  readonly host: HostHandler;
  readonly close: () => Promise<void>;
}

/**
 * Puts journal and faults before a service. For tests only: the journal keeps passwords.
 *
 * @param service with the ready-made accounts and no others: `reset` brings back what it has now.
 */
export async function createControlled({
  service,
  outbox,
  origins,
  behaviours,
  makeLink,
  links,
}: {
  readonly service: Service;
  readonly outbox: EnvironmentOutbox;
  readonly origins: readonly string[];
  readonly behaviours: Behaviours;
  readonly makeLink: (request: unknown) => Promise<LinkOverHttp>;
  readonly links: ReadyLinks;
}): Promise<Controlled> {
  const journal = createJournal();
  const faults = createFaults();
  const watched = await watchService(service.handle, { journal, faults, allowedOrigins: origins });
  const restoreAccounts = await service.directory.snapshot();
  const reset = async (): Promise<void> => {
    faults.clear();
    behaviours.reset();
    await restoreAccounts();
    await service.directory.lock(lockedUsername);
    links.forget();
    await outbox.clear();
    journal.clear();
  };
  const host = controlHost({
    'GET /journal': () => ({ entries: journal.entries() }),
    'DELETE /journal': journal.clear,
    'POST /faults': faults.set,
    'DELETE /faults': faults.clear,
    'GET /providers': behaviours.all,
    'POST /providers': behaviours.change,
    'GET /outbox': () => ({ messages: outbox.messages() }),
    'POST /accounts': async (input) => service.directory.upsertAccount(v.parse(accountSchema, input)),
    'POST /links': makeLink,
    'POST /reset': reset,
  });
  return { journal, faults, behaviours, reset, api: watched.handle, host, close: watched.close };
}
