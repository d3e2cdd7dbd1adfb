import { createHash } from 'node:crypto';
import type { ServiceOptions } from '@vestibule/service';
import { originOf } from './hosts.ts';

type Client = NonNullable<ServiceOptions['clients']>[number];

const hashed = (secret: string): string => `sha256:${createHash('sha256').update(secret).digest('hex')}`;

/** The OpenID Connect client of the demo application; no secret, because its accounts are made up. */
export const reports = { id: 'reports', secret: 'the-secret-of-reports-in-the-local-environment' } as const;
/** The client of the demo application that has payments confirmed. */
export const ledger = { id: 'ledger', secret: 'the-secret-of-ledger-in-the-local-environment' };

/** Of `partner-portal`. */
const portalSecret = 'the-secret-of-partner-portal-in-the-local-environment';

/** What the clients of a deployment have unless it says otherwise. */
export const usualClient = {
  scopes: ['profile', 'email', 'applications', 'offline_access'],
  secretFile: [],
  secretHash: [],
  consent: false,
  par: false,
  dpop: false,
  idTokenAlgorithm: 'ES256',
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
      redirectUris: [],
      postLogoutRedirectUris: [],
      secretHash: [hashed(ledger.secret)],
    },
    { ...usualClient, ...elsewhere, id: 'console', name: 'Console' },
    {
      ...usualClient,
      ...elsewhere,
      id: 'partner-portal',
      name: 'Partner Portal',
      url: `${partner}/`,
      consent: true,
      secretHash: [hashed(portalSecret)],
    },
  ];
}
