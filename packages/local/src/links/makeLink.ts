import * as v from 'valibot';
import type { AccountDirectory, Directory, IssuedLink } from '@vestibule/service';
import { ledgerPersonas } from '../accounts.ts';
import { linkRequestSchema, type LinkOverHttp, type LinkRequest } from './linkRequest.ts';

/**
 * Makes links of this environment on request.
 *
 * The function throws ValiError for what is no request, `LinkNotGiven` where the service gives no link.
 */
export function linkMaker(directory: Directory, port: number): (request: unknown) => Promise<LinkOverHttp> {
  return async (input) => {
    const { id, url, expiresAt } = await make(directory, port, v.parse(linkRequestSchema, input));
    return { id, url, expiresAt: expiresAt.toISOString() };
  };
}

async function make(directory: Directory, port: number, request: LinkRequest): Promise<IssuedLink> {
  switch (request.kind) {
    case 'invitation': {
      const { kind: _kind, username, ...delivery } = request;
      await ensureInvitable(directory.accounts, username, port);
      return directory.links.inviteUser(username, delivery);
    }
    case 'api-invitation': {
      const { kind: _kind, name, ...delivery } = request;
      return directory.links.inviteApiUser(name, delivery);
    }
    case 'reset': {
      const { kind: _kind, username, ...delivery } = request;
      return directory.links.reset(username, delivery);
    }
    case 'magic': {
      const { kind: _kind, username, application, ...delivery } = request;
      return directory.links.magic(username, application, delivery);
    }
  }
}

async function ensureInvitable(accounts: AccountDirectory, username: string, port: number): Promise<void> {
  await accounts.ensure({
    username,
    email: username.includes('@') ? username : `${username}@payments.example`,
    firstName: '',
    lastName: '',
    password: null,
    methods: [{ method: 'basic' }],
    personas: ledgerPersonas(port),
    mfa: null,
    mustSetUpMfa: false,
    lastReset: null,
  });
}
