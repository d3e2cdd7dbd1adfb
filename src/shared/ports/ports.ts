import type { CookieJar as FamilyCookies } from '@vestibule/client/cookies';
import type { EventStream, ServerEvent } from '@vestibule/client/eventStream';
import type { Locks } from '@vestibule/client/lease';
import type * as contract from '@vestibule/contract/schema';
import type { Vault } from './vault';

export type { EventStream, Locks, ServerEvent };

declare const isAllowed: unique symbol;

/** An absolute address that the redirect allowlist permits. Only `redirectAllowlist.ts` makes one. */
export type AllowedUrl = string & { readonly [isAllowed]: true };

/**
 * Every outside thing that the application touches, as one typed object. Sagas receive it (`Deps`), tests pass
 * fakes, and `browser/createBrowserPorts.ts` is the only place where the real ones are made.
 * Members are `readonly` function properties, not methods, so that `call(port.member)` is safe.
 */
export interface Ports {
  /** Another one for each build. */
  readonly build: string;
  readonly clock: Clock;
  readonly cookies: CookieJar;
  /**
   * Has the host that serves the page expire the session's cookies, HttpOnly copies too: no script can remove a copy that
   * a sibling host has set under the same name. Never rejects; a host that does not offer it changes nothing.
   */
  readonly expireSessionCookies: () => Promise<void>;
  readonly navigation: Navigation;
  readonly parentFrame: ParentFrame;
  /** Rejects when its chunk cannot be fetched. */
  readonly storageAccess: () => Promise<StorageAccess>;
  readonly pageLife: PageLife;
  readonly locks: Locks;
  readonly eventStream: EventStream;
  readonly popup: Popup;
  readonly broadcast: Broadcast;
  readonly oauthStates: OauthStates;
  readonly makeOauthSecrets: MakeOauthSecrets;
  readonly clipboard: Clipboard;
  /** Rejects when its chunk cannot be fetched. */
  readonly documents: () => Promise<Documents>;
  /** Lower-case hex SHA-256 of a text; `null` where the browser has no WebCrypto. */
  readonly sha256Hex: (text: string) => Promise<string | null>;
  /**
   * Waits for a text message with a code for this host, and fills the page's code field as a password manager does; the code
   * goes nowhere else. `false`: none will come, because the browser does not read messages or the user refused. Rejects
   * when its chunk cannot be fetched.
   */
  readonly fillTextedCode: (signal: AbortSignal) => Promise<boolean>;
  /** Rejects when its chunk cannot be fetched. */
  readonly passkeys: () => Promise<Passkeys>;
  readonly vault: Vault;
  readonly storage: Storages;
  /** A number in [0, 1), to keep many browsers from doing the same thing at once. Never for a secret. */
  readonly random: () => number;
  readonly log: Log;
  /** Sends a report of the page's own to the collector at this address. Never rejects; nothing waits for it. */
  readonly sendReport: (url: string, report: PageReport) => Promise<void>;
}

/** Time. Both readings are in milliseconds. */
export interface Clock {
  /** Wall clock, ms since the epoch. May jump: the user or the network can set it. */
  readonly now: () => number;
  /** Milliseconds since the page started; never steps back. */
  readonly monotonic: () => number;
  /** Resolves after so many ms; 0: in the next task, so that what the page shows comes first. */
  readonly pause: (ms: number) => Promise<void>;
}

/** The cookies of the parent domain (docs/behaviour.md#cookies), by any names, with what only the page asks of them. */
export interface CookieJar extends FamilyCookies {
  /** Whether the browser keeps cookies for this page at all. */
  readonly enabled: () => boolean;
  /** The names of all cookies that the page can see, decoded. */
  readonly names: () => readonly string[];
}

/** An address within the application, as the browser has it: link hashes and codes unmasked. */
export interface RawLocation {
  readonly pathname: string;
  readonly search: string;
  readonly hash: string;
  /** What the navigation carried (`history.state`), undecoded. */
  readonly state: unknown;
  /** Identifies the history entry. */
  readonly key: string;
}

/** The history of this window, and navigation to other pages. The only writer of history. */
export interface Navigation {
  /** Host of this window's address, port included where it is not the default. */
  readonly host: () => string;
  readonly current: () => RawLocation;
  readonly push: (path: string, state?: unknown) => void;
  readonly replace: (path: string, state?: unknown) => void;
  readonly back: () => void;
  /** Reports every change, of any cause. Returns the unsubscriber. */
  readonly subscribe: (listener: (location: RawLocation) => void) => () => void;
  /** Leaves the application; the entry left behind is replaced, so that Back does not return to a form already sent. */
  readonly leave: (target: AllowedUrl) => void;
  /** Reloads the page. */
  readonly reload: () => void;
}

/** Message to the parent of an embedded page (docs/behaviour.md#embedding): a plain string, never a token. */
export type ParentMessage = 'new_tokens' | 'removed_tokens';

/** The page that embeds this one, if any (docs/behaviour.md#embedding). */
export interface ParentFrame {
  readonly embedded: boolean;
  /** Whether the embedding origin is on `parentOrigins`; `false` when an unknown page embeds this one, or none does. */
  readonly trusted: boolean;
  /** Whether every ancestor is under `cookies.domain`, so that browsers share the cookies with the frame. */
  readonly isInFamily: boolean;
  /** Tells the parent, and only a trusted one; `removed_tokens` not again before `new_tokens`. */
  readonly notify: (message: ParentMessage) => void;
}

/** The Storage Access API: how a frame of another site gets the cookies that its own site's windows have. */
export interface StorageAccess {
  /**
   * Whether the frame has them already; `true` where the browser does not tell, or the page may not ask (no secure context).
   * WebKit says 'no' in the frames of a family, although they share cookies. Never rejects.
   */
  readonly isShared: () => Promise<boolean>;
  /**
   * What a request would meet. `granted`: the user has allowed it before, and no press is needed. `forbidden`: the parent's
   * Permissions-Policy denies it. `unsupported`: the browser has no such API, or the page no secure context. Never rejects.
   */
  readonly outlook: () => Promise<'granted' | 'askable' | 'forbidden' | 'unsupported'>;
  /**
   * Asks for the cookies. Called in the turn of a press, unless they are granted. Never rejects; `false`: refused, by the user,
   * by the browser, or because the user has not visited this site in a window yet.
   */
  readonly request: () => Promise<boolean>;
}

/** What happens to the page as a whole. */
export type PageLifeEvent =
  | 'shown' /* visibilitychange to visible */
  | 'hidden'
  | 'restored' /* pageshow from the back/forward cache */
  | 'online'
  | 'offline'
  | 'left'; /* pagehide */

/** Visibility, back/forward cache and connectivity. */
export interface PageLife {
  readonly isVisible: () => boolean;
  readonly isOnline: () => boolean;
  /** Whether the host of the page responds, so that a reload would not lose the page. Never rejects. */
  readonly isHostReachable: () => Promise<boolean>;
  /** Whether the user is working in this window. */
  readonly hasFocus: () => boolean;
  readonly subscribe: (listener: (event: PageLifeEvent) => void) => () => void;
}

/** The clipboard, to write to only. */
export interface Clipboard {
  /** Never rejects. `false`: refused. Called in the turn of a click: browsers allow it at no other time. */
  readonly copy: (text: string) => Promise<boolean>;
}

/** Saves to the user's disk and prints. */
export interface Documents {
  /** Saves a text in the user's downloads. */
  readonly download: (name: string, text: string) => void;
  /** Opens the browser's print dialog. */
  readonly print: () => void;
}

/** The result of a request for a passkey. */
export type PasskeyOutcome<Credential> =
  | { readonly kind: 'given'; readonly credential: Credential }
  /** The user cancelled, the signal was aborted, or the time was up. Browsers do not distinguish these. */
  | { readonly kind: 'cancelled' }
  /** The browser has no passkeys, or not for this page. */
  | { readonly kind: 'failed' };

/** The signals to a password manager about passkeys (WebAuthn Signal API). */
export interface PasskeySignals {
  readonly signalUnknownCredential: { readonly rpId: string; readonly credentialId: string };
  readonly signalAllAcceptedCredentials: {
    readonly rpId: string;
    readonly userId: string;
    readonly allAcceptedCredentialIds: readonly string[];
  };
  readonly signalCurrentUserDetails: {
    readonly rpId: string;
    readonly userId: string;
    readonly name: string;
    readonly displayName: string;
  };
}

interface PasskeyRequest<PublicKey> {
  readonly publicKey: PublicKey;
  /** `get`: in the list of the username field. `create`: without asking. */
  readonly conditional: boolean;
  readonly signal: AbortSignal;
}

/**
 * WebAuthn, in its JSON form. A new request aborts the one before, and waits until that is over: browsers make one at a time.
 * No member rejects.
 */
export interface Passkeys {
  readonly supports: (capability: 'conditionalGet' | 'conditionalCreate') => Promise<boolean>;
  /** Asks the user to choose a passkey, and uses it. */
  readonly get: (
    request: PasskeyRequest<contract.PasskeyRequestOptions['publicKey']>,
  ) => Promise<PasskeyOutcome<contract.PasskeyAssertionRequest['credential']>>;
  /** Makes a passkey. */
  readonly create: (
    request: PasskeyRequest<contract.PasskeyCreationOptions['publicKey']>,
  ) => Promise<PasskeyOutcome<contract.PasskeyAddRequest['credential']>>;
  /** Without effect where the browser does not know the signal. */
  readonly signal: <Name extends keyof PasskeySignals>(
    name: Name,
    details: PasskeySignals[Name],
  ) => Promise<void>;
}

/** Stores short texts that outlive a page, without secrets. Without storage, they last as long as the page. */
export interface TextStorage {
  readonly read: (key: string) => string | null;
  /** `null` removes the text. `false`: the browser refused, and what was written lasts no longer than the page. */
  readonly write: (key: string, text: string | null) => boolean;
}

/** Where a text is stored. */
interface Storages {
  /** For this tab, through every page that it loads. */
  readonly tab: TextStorage;
  /** For all tabs of the login origin, until it is removed. */
  readonly browser: TextStorage;
}

/** Diagnostics. Never given a secret, a token, a code, an address with a hash, or server text. */
export interface Log {
  readonly warn: (event: string, facts?: Readonly<Record<string, string | number | boolean>>) => void;
  readonly error: (event: string, error: unknown) => void;
}

/** A fault of the page's own: names of the application and places in its files, never a text, an account or an address. */
export interface PageReport {
  /** The route or feature whose saga crashed, `drawing`, or `unhandled`. */
  readonly where: string;
  /** Kind of the error, such as `TypeError`. */
  readonly name: string;
  /** `file:line:column` of our files, the innermost first. */
  readonly stack: readonly string[];
  /** Pattern of the address in the table of screens. */
  readonly route: string;
  readonly release: string;
  readonly environment: string;
}

/** A line to another window of our own origin. The listener checks the shape of a message. */
export interface MessageChannelPort {
  readonly post: (message: object) => void;
  /** Returns the unsubscriber. */
  readonly subscribe: (listener: (message: object) => void) => () => void;
}

/** A window that this page opened. Its line works until a provider's page severs it from its opener. */
export interface PopupWindow extends MessageChannelPort {
  readonly go: (url: AllowedUrl) => void;
  /** Only a hint: `true` also for an open window that was severed (docs/behaviour.md#provider-window). */
  readonly isClosed: () => boolean;
  /** Without effect on a window that was severed. */
  readonly close: () => void;
}

/** Pop-up windows, seen from both sides. */
export interface Popup {
  /** Opens a blank window next to the page, at once: browsers allow it only in the turn of a click. `null`: blocked. */
  readonly openBlank: () => PopupWindow | null;
  /** The line to the window that opened this one; `null` without an opener, or when the two were severed. */
  readonly opener: MessageChannelPort | null;
  /** Closes this window, where the browser lets a page do that. */
  readonly closeSelf: () => void;
}

/** Channels between all windows of our origin. */
export interface Broadcast {
  readonly open: (name: string) => MessageChannelPort & { readonly close: () => void };
}

/** Provider of a flow. */
export type Provider = 'google' | 'microsoft';

/**
 * The stored states (docs/behaviour.md#stored-state): a host-only cookie per flow for 10 minutes, which a pop-up can read
 * even when it was severed from its opener and storage is partitioned.
 */
export interface OauthStates {
  /** `false`: the browser refused. */
  readonly store: (state: string, provider: Provider) => boolean;
  /** The provider that the state was made for; `null`: unknown, used, or too old. */
  readonly read: (state: string) => Provider | null;
  readonly remove: (state: string) => void;
}

/** Everything random of one flow; 128 bits or more each, one use. */
export interface OauthSecrets {
  readonly state: string;
  readonly nonce: string;
  /** PKCE code verifier; leaves the opener in the token call only. */
  readonly verifier: string;
  /** Its S256 challenge. */
  readonly challenge: string;
}

/**
 * Makes the secrets of a flow; `null` where the browser has no WebCrypto. Rejects when its
 * chunk cannot be fetched.
 */
type MakeOauthSecrets = () => Promise<OauthSecrets | null>;
