import type { IssuedLink } from './links.ts';

/** A link cannot be issued; the message is for the administrator. */
export class LinkNotGiven extends Error {
  override readonly name = 'LinkNotGiven';
}

/** An issued key; its secret is stored hashed. */
interface ApiKey {
  readonly apiKey: string;
  /** The name of its API user. */
  readonly apiUser: string;
  readonly createdAt: Date;
}

/** How a link is delivered. */
export interface LinkDelivery {
  /** Issues a magic link: `/redirect/{id}`, or the short link, opens the form once. Default: the address of the form. */
  readonly magic?: boolean;
  /**
   * Also mails it to the account's address. The call rejects if the mail is refused at once, or mail is not
   * configured; a delayed mail is retried. Default false.
   */
  readonly mail?: boolean;
  /** The language of the mail (BCP 47). It is not stored. Default: the language of the account. */
  readonly language?: string | undefined;
}

/** Issues links, for administrators. Each call rejects with `LinkNotGiven` if a link cannot be issued. */
export interface LinkDirectory {
  /**
   * Invites a user: an account with the method 'basic' that has no password yet (`accounts.upsert`, password `null`).
   * Earlier invitations of the user become invalid.
   */
  readonly inviteUser: (username: string, delivery?: LinkDelivery) => Promise<IssuedLink>;
  /**
   * Invites an API user. Key and secret are generated when the link is opened.
   *
   * @param name what the credentials are for; stored with them.
   */
  readonly inviteApiUser: (
    name: string,
    delivery?: Pick<LinkDelivery, 'magic' | 'language'> & { readonly mailTo?: string },
  ) => Promise<IssuedLink>;
  /** A reset link, as mailed by 'forgot password'. Earlier reset links of the user become invalid. */
  readonly reset: (username: string, delivery?: LinkDelivery) => Promise<IssuedLink>;
  /**
   * A link that signs the user in to an application without a password; not for users with two-step verification.
   *
   * @param application persona group of the user.
   * @param delivery.redirectUrl a page of that application; default its start page.
   */
  readonly magic: (
    username: string,
    application: string,
    delivery?: Pick<LinkDelivery, 'mail' | 'language'> & { readonly redirectUrl?: string },
  ) => Promise<IssuedLink>;
  /** Whether the link is unused and valid. */
  readonly isUntouched: (id: string) => Promise<boolean>;
  /** Whether the secret was issued with the key. */
  readonly isApiSecret: (apiKey: string, apiSecret: string) => Promise<boolean>;
  /** Oldest first. */
  readonly apiKeys: () => Promise<readonly ApiKey[]>;
  /** Revokes a key, or all keys and open invitations of an API user. @returns the revoked keys. */
  readonly revokeApiKeys: (
    choice: { readonly apiKey: string } | { readonly apiUser: string },
  ) => Promise<readonly string[]>;
}
