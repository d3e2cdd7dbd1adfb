import { createHash } from 'node:crypto';
import type { ServiceOptions } from '@vestibule/service';
import { familyDomain, originOf } from './hosts.ts';

type Client = NonNullable<ServiceOptions['clients']>[number];

const hashed = (secret: string): string => `sha256:${createHash('sha256').update(secret).digest('hex')}`;

/** The credentials of a client. Everybody knows them, because accounts and payments are made up. */
const credentialsOf = (id: string) => ({ id, secret: `the-secret-of-${id}-in-the-local-environment` });

/** The OpenID Connect client of the demo application. */
export const reports = credentialsOf('reports');
/** The client of the demo application that has payments confirmed. */
export const ledger = credentialsOf('ledger');
/** The path at which clients get events about payments, at 127.0.0.1 because Node may not resolve `*.localhost`. */
export const paymentEventPath = '/payment-event';

/** What the clients of a deployment have unless it says otherwise. */
export const usualClient = {
  scopes: ['profile', 'email', 'applications', 'offline_access'],
  secretFile: [],
  secretHash: [],
  consent: false,
  par: false,
  dpop: false,
  confirmations: false,
  idTokenAlgorithm: 'RS256',
} satisfies Partial<Client>;

/**
 * Four clients for other teams' tests: `ledger`, which has payments confirmed, and of OpenID Connect `reports` with a secret, `console`
 * without one, which asks for consent each time, and `partner-portal`, an application of others, which asks once. The latter two return
 * to the page of the partner, or to any port of this machine.
 */
export function readyClients(port: number): readonly Client[] {
  const own = originOf('reports', port);
  const partner = originOf('partner', port);
  const elsewhere = {
    redirectUris: [`${partner}/`, 'http://127.0.0.1/callback'],
    postLogoutRedirectUris: [`${partner}/`, 'http://127.0.0.1/'],
  };
  return [
    {
      ...usualClient,
      id: reports.id,
      name: 'Reports',
      url: `${own}/`,
      secretHash: [hashed(reports.secret)],
      redirectUris: [`${own}/callback`],
      postLogoutRedirectUris: [`${own}/`],
    },
    {
      ...usualClient,
      id: ledger.id,
      name: 'Ledger',
      confirmationUri: `http://127.0.0.1:${String(port)}${paymentEventPath}`,
      redirectUris: [],
      postLogoutRedirectUris: [],
      secretHash: [hashed(ledger.secret)],
      confirmations: true,
    },
    { ...usualClient, ...elsewhere, id: 'console', name: 'Console' },
    {
      ...usualClient,
      ...elsewhere,
      id: 'partner-portal',
      name: 'Partner Portal',
      url: `${partner}/`,
      consent: true,
      secretHash: [hashed(credentialsOf('partner-portal').secret)],
    },
  ];
}

/**
 * A client of a developer, which may have payments confirmed, and may sign users in at any port of `http://127.0.0.1/callback`.
 *
 * @param port of its server on this machine, which gets the events about payments.
 * @throws Error for an id that is taken or malformed.
 */
export function ownClient(id: string, port = 3000): OwnClient {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(id) || readyClients(0).some((client) => client.id === id))
    throw new Error(
      `The client must be up to 64 letters, digits, dots, hyphens and underscores, and none of the ready ones, not '${id}'.`,
    );
  const { secret } = credentialsOf(id);
  const client = {
    ...{ ...usualClient, id, name: id, confirmations: true, secretHash: [hashed(secret)] },
    confirmationUri: `http://127.0.0.1:${String(port)}${paymentEventPath}`,
    redirectUris: ['http://127.0.0.1/callback'],
    postLogoutRedirectUris: ['http://127.0.0.1/'],
  };
  return { client, secret, origin: `http://${id}.${familyDomain}:${String(port)}` };
}

interface OwnClient {
  readonly client: Client;
  readonly secret: string;
  /** The address of its server in a browser, to which the page may redirect. */
  readonly origin: string;
}
