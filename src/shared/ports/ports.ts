import type { CookieJar as FamilyCookies } from '@vestibule/client/cookies';
import type { EventStream, ServerEvent } from '@vestibule/client/eventStream';
import type { Locks } from '@vestibule/client/lease';
import type { Vault } from './vault';

export type { EventStream, Locks, ServerEvent };

declare const isAllowed: unique symbol;

/** An absolute address that the redirect allowlist permits. Only `redirectAllowlist.ts` makes one. */
export type AllowedUrl = string & { readonly [isAllowed]: true };

/**
 * Everything outside the application that it uses, as one typed object. Sagas receive it as a part of `Deps`, and tests pass
 * fakes. Only `browser/createBrowserPorts.ts` makes the real ports. Members are `readonly` function properties, not methods,
 * so that `call(port.member)` is safe.
 */
export interface Ports {
  /** An id of the build. */
  readonly build: string;
  readonly clock: Clock;
  readonly cookies: CookieJar;
  /**
   * Asks the host that serves the page to expire the session cookies, because no script can remove an HttpOnly cookie that a
   * sibling host has set under the same name. Never rejects, also if the host does not offer it.
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
   * Waits for a text message with a code for this host, and fills in the code field as a password manager does. Resolves to
   * `false` if the browser does not read messages or the user refused. Rejects when its chunk cannot be fetched.
   */
  readonly fillTextedCode: (signal: AbortSignal) => Promise<boolean>;
  /** Rejects when its chunk cannot be fetched. */
  readonly passkeys: () => Promise<Passkeys>;
  readonly vault: Vault;
  readonly storage: Storages;
  /** A number in [0, 1), to keep many browsers from doing the same thing at once. Never for a secret. */
  readonly random: () => number;
  readonly log: Log;
  /** Sends a report about a crash to the collector at this address. Never rejects. */
  readonly sendReport: (url: string, report: PageReport) => Promise<void>;
}

/** Time. Both readings are in milliseconds. */
export interface Clock {
  /** The wall clock, ms since the epoch. It may jump, because the user or the network can set it. */
  readonly now: () => number;
  /** Milliseconds since the page started, which never decrease. */
  readonly monotonic: () => number;
  /** Resolves after this number of ms; with 0 in the next task, so that the browser can paint before. */
  readonly pause: (ms: number) => Promise<void>;
}

/** The cookies of the family (docs/behaviour.md#cookies), and what only the page asks about them. */
export interface CookieJar extends FamilyCookies {
  /** Whether the browser keeps cookies for this page at all. */
  readonly enabled: () => boolean;
  /** The names of all cookies that the page can see, decoded. */
  readonly names: () => readonly string[];
}

/** An address within the application with its secrets. */
export interface RawLocation {
  readonly pathname: string;
  readonly search: string;
  readonly hash: string;
  /** The state of the history entry, not decoded. */
  readonly state: unknown;
  /** Identifies the history entry. */
  readonly key: string;
}

/** The history of this window, and navigation to other pages. The only writer of history. */
export interface Navigation {
  /** The host in the address of this window, with a port that is not the default. */
  readonly host: () => string;
  readonly current: () => RawLocation;
  readonly push: (path: string, state?: unknown) => void;
  readonly replace: (path: string, state?: unknown) => void;
  readonly back: () => void;
  /** Reports each change of the address. Returns the function that unsubscribes. */
  readonly subscribe: (listener: (location: RawLocation) => void) => () => void;
  /** Leaves the application and replaces the history entry, so that Back does not return to a submitted form. */
  readonly leave: (target: AllowedUrl) => void;
  /** Reloads the page. */
  readonly reload: () => void;
}

/**
 * A message to the parent of an embedded page (docs/behaviour.md#embedding): a plain string about the session, or the result of
 * a screen. Never a token.
 */
export type ParentMessage =
  | 'new_tokens'
  | 'removed_tokens'
  | ({ readonly type: `vestibule/${string}` } & Readonly<Record<string, string>>);

/** The page that embeds this one, if any (docs/behaviour.md#embedding). */
export interface ParentFrame {
  readonly embedded: boolean;
  /** Whether the embedding origin is on `parentOrigins`; `false` when an unknown page embeds this one, or none does. */
  readonly trusted: boolean;
  /** Whether every ancestor is under `cookies.domain`, so that browsers share the cookies with the frame. */
  readonly isInFamily: boolean;
  /** Sends the message to a trusted parent. `removed_tokens` is not repeated before `new_tokens`. */
  readonly notify: (message: ParentMessage) => void;
}

/** The Storage Access API: how a frame of another site gets the cookies that its own site's windows have. */
export interface StorageAccess {
  /**
   * Whether the frame has the cookies already; `true` also if the browser does not tell or the context is not secure. WebKit
   * says 'no' in the frames of a family, although they share cookies. Never rejects.
   */
  readonly isShared: () => Promise<boolean>;
  /**
   * What a request would result in. `granted`: the user has allowed it before, and no press is needed. `forbidden`: the
   * parent's Permissions-Policy denies it. `unsupported`: the browser has no such API, or the page no secure context. Never
   * rejects.
   */
  readonly outlook: () => Promise<'granted' | 'askable' | 'forbidden' | 'unsupported'>;
  /**
   * Asks for the cookies. Called in the turn of a press, unless they are granted. Never rejects. Resolves to `false` if the
   * user or the browser refuses, or the user has not visited this site in a window yet.
   */
  readonly request: () => Promise<boolean>;
}

/** An event of the page as a whole. */
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

/** The clipboard, for writing only. */
export interface Clipboard {
  /** Never rejects. Resolves to `false` if refused. Browsers allow it only in the turn of a click. */
  readonly copy: (text: string) => Promise<boolean>;
}

/** Downloads and prints. */
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
  /** The browser does not support passkeys, or refuses them to this page. */
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

interface PasskeyRequest {
  /** The options of the service, as JSON. */
  readonly publicKey: object;
  /** `get` lists passkeys in the username field, and `create` does not ask the user. */
  readonly conditional: boolean;
  readonly signal: AbortSignal;
}

interface PaymentWindowRequest extends Pick<PasskeyRequest, 'publicKey' | 'signal'> {
  readonly payment: {
    readonly application: { readonly name: string };
    /** A decimal text, and a code of ISO 4217. */
    readonly amount: { readonly value: string; readonly currency: string };
    readonly payee: { readonly name: string };
  };
}

/**
 * WebAuthn in its JSON form. A new request aborts the former one and waits for its end, because browsers make one at a time.
 * No member rejects.
 */
export interface Passkeys {
  readonly supports: (capability: 'get' | 'conditionalGet' | 'conditionalCreate') => Promise<boolean>;
  /** Asks the user to choose a passkey, and signs the challenge with it. */
  readonly get: <Credential>(request: PasskeyRequest) => Promise<PasskeyOutcome<Credential>>;
  /**
   * Shows a payment in the browser's own window (Secure Payment Confirmation), in which the user signs the challenge. Fails where
   * there is no such window. `refused`: no passkey of the user works in it now, or the user wants none; browsers do not say which.
   */
  readonly signPayment: <Credential>(
    request: PaymentWindowRequest,
  ) => Promise<PasskeyOutcome<Credential> | { readonly kind: 'refused' }>;
  /**
   * Makes a passkey. `forPayments`: asks first for one of this device that works in the window of `signPayment`, if the browser has that
   * window, and then for one of any kind if none was made.
   */
  readonly create: <Credential>(
    request: PasskeyRequest & { readonly forPayments?: boolean },
  ) => Promise<PasskeyOutcome<Credential>>;
  /** Has no effect if the browser does not know the signal. */
  readonly signal: <Name extends keyof PasskeySignals>(
    name: Name,
    details: PasskeySignals[Name],
  ) => Promise<void>;
}

/** Stores short texts that outlive a page, without secrets. Without storage, they last as long as the page. */
export interface TextStorage {
  readonly read: (key: string) => string | null;
  /** `null` removes the text. Returns `false` if the browser refused. Then the text is lost with the page. */
  readonly write: (key: string, text: string | null) => boolean;
}

/** Where a text is stored. */
interface Storages {
  /** The storage of this tab, for all pages that it loads. */
  readonly tab: TextStorage;
  /** The storage of all tabs of the login origin. */
  readonly browser: TextStorage;
}

/** Diagnostics. Callers pass no secret, token, code, address with a hash, or text of the server. */
export interface Log {
  readonly warn: (event: string, facts?: Readonly<Record<string, string | number | boolean>>) => void;
  readonly error: (event: string, error: unknown) => void;
}

/**
 * A report about a crash. It has names of the application and places in its files, and never a text, an account or an
 * address.
 */
export interface PageReport {
  /** The route or feature whose saga crashed, `drawing`, or `unhandled`. */
  readonly where: string;
  /** The name of the error, such as `TypeError`. */
  readonly name: string;
  /** Frames in our files as `file:line:column`, the innermost first. */
  readonly stack: readonly string[];
  /** Pattern of the address in the table of screens. */
  readonly route: string;
  readonly release: string;
  readonly environment: string;
}

/** Messages to and from another window of our own origin. The listener checks the shape of a message. */
export interface MessageChannelPort {
  readonly post: (message: object) => void;
  /** Returns the function that unsubscribes. */
  readonly subscribe: (listener: (message: object) => void) => () => void;
}

/** A window that this page opened. Messages work until the page of a provider severs it from its opener. */
export interface PopupWindow extends MessageChannelPort {
  readonly go: (url: AllowedUrl) => void;
  /** Only a hint: `true` also for an open window that was severed (docs/behaviour.md#provider-window). */
  readonly isClosed: () => boolean;
  /** Has no effect on a window that was severed. */
  readonly close: () => void;
}

/** Pop-up windows, for the opener and for the window. */
export interface Popup {
  /**
   * Opens a blank window next to the page; `null` if the browser blocks it. Browsers allow it only in the turn of a click.
   */
  readonly openBlank: () => PopupWindow | null;
  /** The messages to and from the opener; `null` without an opener, or if the two were severed. */
  readonly opener: MessageChannelPort | null;
  /** Closes this window, where the browser lets a page do that. */
  readonly closeSelf: () => void;
}

/** Channels between all windows of our origin. */
export interface Broadcast {
  readonly open: (name: string) => MessageChannelPort & { readonly close: () => void };
}

/** A provider of identities. */
export type Provider = 'google' | 'microsoft';

/**
 * The stored states (docs/behaviour.md#stored-state): a host-only cookie per flow for 10 minutes, which a pop-up can read
 * even when it was severed from its opener and storage is partitioned.
 */
export interface OauthStates {
  /** Returns `false` if the browser refused. */
  readonly store: (state: string, provider: Provider) => boolean;
  /** The provider for which the state was made; `null` if the state is unknown, used or too old. */
  readonly read: (state: string) => Provider | null;
  readonly remove: (state: string) => void;
}

/** The random values of one flow. Each has at least 128 bits and is used once. */
export interface OauthSecrets {
  readonly state: string;
  readonly nonce: string;
  /** The code verifier of PKCE, which only the token call sends. */
  readonly verifier: string;
  /** The S256 challenge of the verifier. */
  readonly challenge: string;
}

/**
 * Makes the secrets of a flow; `null` where the browser has no WebCrypto. Rejects when its
 * chunk cannot be fetched.
 */
type MakeOauthSecrets = () => Promise<OauthSecrets | null>;
