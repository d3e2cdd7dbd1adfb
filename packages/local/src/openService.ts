import { rm } from 'node:fs/promises';
import path from 'node:path';
import { extensionNames } from '@vestibule/contract/document';
import { returnPoint } from '@vestibule/contract/returnPoint';
import {
  createService,
  extensionOptions,
  type Logger,
  type Service,
  type ServiceOptions,
} from '@vestibule/service';
import { readyClients } from './clients.ts';
import { originOf } from './hosts.ts';
import { openOutbox, type EnvironmentOutbox } from './outbox.ts';
import { loopbackFetch } from './http/loopbackFetch.ts';
import { microsoftIssuer, type ProviderName, type Registration } from './registration.ts';
import type { Clock } from './control/clock.ts';
import type { EnvironmentConfig } from './environmentConfig.ts';

/** No secret: it encrypts what belongs to made-up accounts, and makes the environment as a deployment is. */
const encryptionKey = Buffer.alloc(32, 'local environment').toString('base64');

/** How the service of an environment is started. */
export interface EnvironmentServiceOptions {
  /** Where accounts, sessions and messages are kept across restarts; `null` keeps them in memory. Default `null`. */
  readonly stateFolder?: string | null;
  /** A PostgreSQL server instead of the embedded one in `stateFolder`. */
  readonly databaseUrl?: string;
  /** Forgets all state first. Default: with `journal`. */
  readonly fresh?: boolean;
  /** Tests only: journal, faults and reset, also on `control.payments.localhost`. Default `false`. */
  readonly journal?: boolean;
  /** Origins of further applications of the family: the page redirects there, they may embed it and call the service. */
  readonly applications?: readonly string[];
  /** Where warnings and errors of the service and the environment go. Default: nowhere. */
  readonly logger?: Logger;
  /** Settings of the service that a test needs otherwise, such as short-lived tokens. Its `clients` are added to the ready ones. */
  readonly service?: Partial<
    Omit<ServiceOptions, 'database' | 'issuer' | 'allowedOrigins' | 'outbox' | 'providers' | 'now'>
  >;
}

/** The sign-on service on the state of this environment, and the outbox that it sends through. */
export async function openService(
  options: EnvironmentServiceOptions,
  config: EnvironmentConfig,
  port: number,
  clock: Clock,
  { google, microsoft }: Readonly<Record<ProviderName, Registration>>,
): Promise<OpenedService> {
  const { stateFolder = null, databaseUrl, logger, fresh = options.journal === true } = options;
  if (fresh && stateFolder !== null) await rm(stateFolder, { recursive: true, force: true });
  const outbox = await openOutbox(
    stateFolder === null ? null : path.join(stateFolder, 'outbox.json'),
    clock.now,
  );
  const folder = stateFolder === null ? null : path.join(stateFolder, 'database');
  // The hosts of the page, and the applications that refresh the shared session.
  const origins = [
    ...(['app', 'suppliers', 'shortLinks', 'ledger', 'hub'] as const).map((role) => originOf(role, port)),
    ...(options.applications ?? []).map((address) => new URL(address).origin),
  ];
  const service = await createService({
    ...(logger === undefined ? {} : { logger }),
    encryptionKey,
    // Everybody in this environment has one address.
    rateLimit: { tokenCallsPerMinute: 600, methodCallsPerMinute: 600 },
    // The passwords are known; hashes of a deployment's cost would make the start longer by seconds.
    passwordHash: { memoryKib: 8192, passes: 1 },
    // All, also those that the page does not use.
    ...extensionOptions({ ...config, extensions: extensionNames() }),
    ...options.service,
    clients: [...readyClients(port), ...(options.service?.clients ?? [])],
    links: {
      ...options.service?.links,
      signOnUrl: config.signOnUrl,
      shortLinkUrl: originOf('shortLinks', port),
    },
    database: databaseUrl === undefined ? { folder } : { url: databaseUrl },
    issuer: config.serviceUrl,
    allowedOrigins: origins,
    now: clock.now,
    outbox,
    providers: {
      google,
      microsoft: { ...microsoft, issuerTemplate: microsoftIssuer(port, '{tenantId}') },
      redirectUri: config.signOnUrl + returnPoint,
      fetch: loopbackFetch(port),
    },
  });
  // The folder went with its database; a server's database stays, so it is emptied.
  if (fresh && databaseUrl !== undefined) await service.directory.resetAll();
  return { service, outbox, origins };
}

interface OpenedService {
  readonly service: Service;
  readonly outbox: EnvironmentOutbox;
  readonly origins: readonly string[];
}
