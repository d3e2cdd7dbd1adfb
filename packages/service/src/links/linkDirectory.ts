import type { IssuedLink } from './links.ts';

/** A link cannot be given; the message says why, for the administrator. */
export class LinkNotGiven extends Error {
  override readonly name = 'LinkNotGiven';
}

/** A key that was given out; its secret is not kept. */
export interface ApiKey {
  readonly apiKey: string;
  /** What it is for. */
  readonly apiUser: string;
  readonly createdAt: Date;
}

/** How a link is given out. */
export interface LinkDelivery {
  /** As a magic link: `/redirect/{id}` (or the short link) leads to the form, once. Default: the form's own address. */
  readonly magic?: boolean;
  /**
   * Also mails it to the account's address. The call rejects when the mail is refused at once, or no mails are sent; one that
   * was only delayed is tried again. Default false.
   */
  readonly mail?: boolean;
}

/** The administrator's links. Each call rejects with `LinkNotGiven` where a link cannot be given. */
export interface LinkDirectory {
  /**
   * Invites a user: an account with the method 'basic' that has no password yet (`upsertAccount`, password `null`).
   * Earlier invitations of the user are void.
   */
  readonly inviteUser: (username: string, delivery?: LinkDelivery) => Promise<IssuedLink>;
  /**
   * Invites an API user: key and secret are made when the link is opened.
   *
   * @param name what the credentials are for; kept beside them.
   */
  readonly inviteApiUser: (
    name: string,
    delivery?: Pick<LinkDelivery, 'magic'> & { readonly mailTo?: string },
  ) => Promise<IssuedLink>;
  /** What 'forgot password' mails. Earlier reset links of the user are dead. */
  readonly resetLink: (username: string, delivery?: LinkDelivery) => Promise<IssuedLink>;
  /**
   * A link that signs the user in to an application, without a password: not for users of two-step verification.
   *
   * @param application persona group of the user.
   * @param delivery.redirectUrl a page of that application; default its start.
   */
  readonly magicLink: (
    username: string,
    application: string,
    delivery?: Pick<LinkDelivery, 'mail'> & { readonly redirectUrl?: string },
  ) => Promise<IssuedLink>;
  /** Whether the link is unused and can still be used. */
  readonly isLinkUntouched: (id: string) => Promise<boolean>;
  /** Whether an API user's secret is the one that was given out with the key. */
  readonly isApiSecret: (apiKey: string, apiSecret: string) => Promise<boolean>;
  /** Oldest first. */
  readonly listApiKeys: () => Promise<readonly ApiKey[]>;
  /** Ends a key, or all keys of an API user with the invitations to it that are open. @returns the keys that there were. */
  readonly revokeApiKeys: (
    choice: { readonly apiKey: string } | { readonly apiUser: string },
  ) => Promise<readonly string[]>;
}
