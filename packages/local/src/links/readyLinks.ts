import { LinkNotGiven, type Directory, type IssuedLink } from '@vestibule/service';
import { linkedUsernames, type ReadyAccount } from '../accounts.ts';
import { originOf } from '../hosts.ts';

/** A ready-made link of the start page, in its present state. */
export interface ReadyLink {
  readonly key: string;
  readonly title: string;
  readonly expectation: string;
  /** `null` once it was used or has expired. */
  readonly url: string | null;
}

/** The links of the start page. Each works once, and is made again by a button. */
export interface ReadyLinks {
  /** Makes those that were never made since the environment started. */
  readonly all: () => Promise<readonly ReadyLink[]>;
  /** Makes a new link in place of this one. Unknown keys are ignored. */
  readonly replace: (key: string) => Promise<void>;
  /** The accounts are as at first: so all links are made again when the page is next seen. */
  readonly forget: () => void;
}

interface Recipe {
  readonly key: string;
  readonly title: string;
  readonly expectation: string;
  readonly make: () => Promise<IssuedLink>;
  /** What has to be undone before it can be made again: an activated account is taken back to 'invited'. */
  readonly prepare?: () => Promise<void>;
  /** Host that is shown for a magic link. Default: the address as it was issued. */
  readonly shownAs?: 'redirect';
}

/** @param accounts those of `linkedUsernames` among them, as they are at first. */
export function createReadyLinks(
  directory: Directory,
  accounts: readonly ReadyAccount[],
  port: number,
): ReadyLinks {
  const recipes = recipesOf(directory, accounts);
  const made = new Map<string, IssuedLink>();
  // Links are made one after another, so that two views of the page at once do not invalidate each other's links.
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = turn.then(work);
    turn = result.catch(() => undefined);
    return result;
  };
  const show = async ({ key, title, expectation, shownAs }: Recipe): Promise<ReadyLink> => {
    const link = made.get(key);
    const isGood = link !== undefined && (await directory.links.isUntouched(link.id));
    const url = isGood ? addressOf(link, shownAs, port) : null;
    return { key, title, expectation, url };
  };
  const makeMissing = async ({ key, make }: Recipe): Promise<void> => {
    // There is no link if the account was activated before a restart. Then the page shows a button.
    const link = made.has(key) ? null : await make().catch(unlessImpossible);
    if (link !== null) made.set(key, link);
  };

  return {
    all: () =>
      inTurn(async () => {
        for (const recipe of recipes) await makeMissing(recipe);
        return Promise.all(recipes.map(show));
      }),
    forget: () => {
      made.clear();
    },
    replace: (name) =>
      inTurn(async () => {
        const recipe = recipes.find(({ key }) => key === name);
        if (recipe === undefined) return;
        await recipe.prepare?.();
        made.set(recipe.key, await recipe.make());
      }),
  };
}

function unlessImpossible(error: unknown): null {
  if (error instanceof LinkNotGiven) return null;
  throw error;
}

function addressOf({ id, url }: IssuedLink, shownAs: Recipe['shownAs'], port: number): string {
  return shownAs === 'redirect' ? `${originOf('app', port)}/redirect/${id}` : url;
}

function recipesOf(directory: Directory, accounts: readonly ReadyAccount[]): readonly Recipe[] {
  const { invited, invitedByMagicLink, forgetful, forgetfulByMagicLink, magic } = linkedUsernames;
  const asAtFirst = (username: string) => async (): Promise<void> => {
    const account = accounts.find((one) => one.username === username)?.account ?? null;
    await directory.accounts.remove(username);
    if (account !== null) await directory.accounts.upsert(account);
  };
  return [
    {
      key: 'invitation',
      title: 'Invitation',
      expectation: `Activates ${invited}. Made again, the account has no password again.`,
      make: () => directory.links.inviteUser(invited),
      prepare: asAtFirst(invited),
    },
    {
      key: 'api-invitation',
      title: 'Invitation of an API user',
      expectation: 'Shows an API key and a secret, once.',
      make: () => directory.links.inviteApiUser('Ledger export'),
    },
    {
      key: 'reset',
      title: 'Reset link',
      expectation: `A new password for ${forgetful}.`,
      make: () => directory.links.reset(forgetful),
    },
    {
      key: 'magic',
      title: 'Magic link into the Ledger',
      expectation: `Signs ${magic} in.`,
      make: () => directory.links.magic(magic, 'ledger'),
      shownAs: 'redirect',
    },
    {
      key: 'magic-activate',
      title: 'Magic link to an activation',
      expectation: `Activates ${invitedByMagicLink}. Made again, the account has no password again.`,
      make: () => directory.links.inviteUser(invitedByMagicLink, { magic: true }),
      prepare: asAtFirst(invitedByMagicLink),
      shownAs: 'redirect',
    },
    {
      key: 'magic-reset',
      title: 'Magic link to a password reset',
      expectation: `A new password for ${forgetfulByMagicLink}.`,
      make: () => directory.links.reset(forgetfulByMagicLink, { magic: true }),
      shownAs: 'redirect',
    },
    {
      key: 'magic-secret-key',
      title: 'Magic link to an API key',
      expectation: 'Shows an API key and a secret, once.',
      make: () => directory.links.inviteApiUser('Hub import', { magic: true }),
      shownAs: 'redirect',
    },
    {
      key: 'short',
      title: 'Short link into the Ledger',
      expectation: `Signs ${magic} in, by way of the short-link host.`,
      make: () => directory.links.magic(magic, 'ledger'),
    },
  ];
}
