import type { AllowedUrl } from './allowedUrl';

/** A line to another window of our own origin. Whoever listens checks the shape of what comes. */
export interface MessageLine {
  readonly post: (message: object) => void;
  /** Returns the unsubscriber. */
  readonly subscribe: (listener: (message: object) => void) => () => void;
}

/** A window that this page opened. Its line works until a provider's page severs it from its opener. */
export interface PopupWindow extends MessageLine {
  readonly go: (url: AllowedUrl) => void;
  /** A hint, not a verdict: `true` also for an open window that was severed (decisions §7). */
  readonly isClosed: () => boolean;
  /** Without effect on a window that was severed. */
  readonly close: () => void;
}

/** Pop-up windows, seen from both sides. */
export interface Popup {
  /** Opens a blank window beside the page, at once: browsers allow it only in the turn of a click. `null`: blocked. */
  readonly openBlank: () => PopupWindow | null;
  /** The line to the window that opened this one; `null` when nobody did, or the two were severed. */
  readonly opener: MessageLine | null;
  /** Closes this window, where the browser lets a page do that. */
  readonly closeSelf: () => void;
}

/** Channels between all windows of our origin. */
export interface Broadcast {
  readonly open: (name: string) => MessageLine & { readonly close: () => void };
}

/** Provider of a flow. */
export type Provider = 'google' | 'microsoft';

/**
 * The stored states of section 4: a host-only cookie per flow for 10 minutes, which a pop-up can read even when it was
 * severed from its opener and storage is partitioned (decisions §7).
 */
export interface OauthStates {
  /** `false`: the browser refused. */
  readonly store: (state: string, provider: Provider) => boolean;
  /** The provider that the state was made for; `null`: not one of ours, used, or too old. */
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
 * Makes the secrets of a flow; `null` where the browser has no WebCrypto. Rejects when its code, a chunk of its own,
 * cannot be fetched.
 */
export type MakeOauthSecrets = () => Promise<OauthSecrets | null>;
