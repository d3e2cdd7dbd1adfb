import * as v from 'valibot';
import type { Service } from '@vestibule/service';
import { lockedUsername, type ReadyAccount } from '../accounts.ts';
import type { EnvironmentConfig } from '../environmentConfig.ts';
import type { HostHandler } from '../http/send.ts';
import type { EnvironmentOutbox } from '../outbox.ts';
import type { Behaviours } from '../providers/behaviour.ts';
import type { LinkOverHttp } from '../links/linkRequest.ts';
import type { ReadyLinks } from '../links/readyLinks.ts';
import { accountSchema } from './accountSchema.ts';
import type { Clock } from './clock.ts';
import { controlHost } from './controlHost.ts';
import { createFaults, type Faults } from './faults.ts';
import { createJournal, type Journal } from './journal.ts';
import { NotSignedIn, signIn } from './signIn.ts';
import { watchService } from './watchedService.ts';

/** The test's hands on an environment: what was asked, what goes wrong, and back to the beginning. */
export interface Controlled {
  readonly journal: Journal;
  readonly faults: Faults;
  /** What goes wrong at the providers. */
  readonly behaviours: Behaviours;
  /** Accounts as ready-made, no lockouts, empty journal and outbox, no faults, providers and clock as at first. */
  readonly reset: () => Promise<void>;
  /** The service's host, behind journal and faults. */
  readonly api: HostHandler;
  /** The same functions over HTTP. */
  readonly host: HostHandler;
  readonly close: () => Promise<void>;
}

const signInSchema = v.strictObject({ username: v.string() });
const advanceSchema = v.strictObject({ advance: v.pipe(v.number(), v.integer(), v.minValue(0)) });

/**
 * Puts journal and faults before a service. For tests only: the journal keeps passwords.
 *
 * @param service with the ready-made accounts and no others: `reset` brings back what it has now.
 */
export async function createControlled({
  service,
  outbox,
  origins,
  accounts,
  cookies,
  clock,
  behaviours,
  makeLink,
  links,
}: {
  readonly service: Service;
  readonly outbox: EnvironmentOutbox;
  readonly origins: readonly string[];
  readonly accounts: readonly ReadyAccount[];
  readonly cookies: EnvironmentConfig['cookies'];
  readonly clock: Clock;
  readonly behaviours: Behaviours;
  readonly makeLink: (request: unknown) => Promise<LinkOverHttp>;
  readonly links: ReadyLinks;
}): Promise<Controlled> {
  const journal = createJournal();
  const faults = createFaults();
  const watched = await watchService(service.handle, { journal, faults, allowedOrigins: origins });
  const atFirst = () =>
    new Map(accounts.flatMap(({ account }) => (account ? [[account.username, account]] : [])));
  let known = atFirst();
  const restoreAccounts = await service.directory.snapshot();
  const reset = async (): Promise<void> => {
    faults.clear();
    behaviours.reset();
    clock.reset();
    known = atFirst();
    await restoreAccounts();
    await service.directory.accounts.lock(lockedUsername, { isRecorded: false });
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
    'POST /accounts': async (input) => {
      const account = v.parse(accountSchema, input);
      await service.directory.accounts.upsert(account);
      known.set(account.username, account);
    },
    'POST /sign-ins': async (input) => {
      const { username } = v.parse(signInSchema, input);
      const account = known.get(username);
      if (account === undefined) throw new NotSignedIn(`This environment has no account '${username}'.`);
      const { servicePort } = watched;
      return {
        cookies: await signIn({ servicePort, directory: service.directory, outbox, clock, cookies }, account),
      };
    },
    'POST /clock': (input) => {
      clock.advance(v.parse(advanceSchema, input).advance);
      return { now: clock.now() };
    },
    'POST /links': makeLink,
    'POST /reset': reset,
  });
  return { journal, faults, behaviours, reset, api: watched.handle, host, close: watched.close };
}
