import { mustBeAt } from './isAt.ts';

/** The address of the page, and functions for its messages. */
export interface EmbedOptions {
  /** Origin of the sign-on page. Its `parentOrigins` must list the origin of this application. */
  readonly signOnUrl: string;
  /** Path of the screen, with its query; default `/login`. */
  readonly path?: string;
  /** Name of the application: look and name in the header. */
  readonly application?: string;
  /** What a screen reader calls the frame; default 'Sign-on page'. */
  readonly title?: string;
  /** Called when the cookies contain new tokens. */
  readonly onTokens?: () => void;
  /** Called when the session has ended, and when the frame opens without one. */
  readonly onRemoved?: () => void;
  /**
   * Called when the confirmation of a payment has ended. Anybody can post a message: the receipt is the proof.
   *
   * @param state `confirmed`, `declined`, `failed` or `expired`
   */
  readonly onConfirmation?: (id: string, state: string) => void;
}

/** The embedded page. */
export interface Embedded {
  readonly frame: HTMLIFrameElement;
  /**
   * Why the page cannot work here, if the browser shows a reason; otherwise `null`.
   * - `sandbox`: this page is sandboxed without `allow-same-origin`, and so is the frame
   * - `storage-access`: the Permissions-Policy of this page denies it; a frame on another site then has no session
   */
  readonly obstacle: 'sandbox' | 'storage-access' | null;
  /** Removes the frame and its listener. */
  readonly remove: () => void;
}

/**
 * Embeds the sign-on page at the end of the element; the frame follows the height of its content.
 *
 * @throws TypeError if `path` leads to another origin than `signOnUrl`
 */
export function embedSignOn(
  element: Element,
  { signOnUrl, path = '/login', application, title = 'Sign-on page', ...listeners }: EmbedOptions,
): Embedded {
  const { onTokens, onRemoved, onConfirmation } = listeners;
  const { origin } = new URL(signOnUrl);
  const url = new URL(path, origin);
  mustBeAt(url.href, origin);
  if (application) url.searchParams.set('application', application);
  url.searchParams.set('resize', '1');

  const frame: FrameWithPolicy = document.createElement('iframe');
  frame.title = title;
  frame.allow =
    'clipboard-write; otp-credentials; payment; publickey-credentials-create; publickey-credentials-get';
  // In a browser without `ancestorOrigins` the frame knows its parent by the referrer.
  frame.referrerPolicy = 'strict-origin';
  frame.src = url.href;
  const receive = ({ origin: from, source, data }: MessageEvent<Message>) => {
    if (from !== origin || source !== frame.contentWindow) return;
    if (data === 'new_tokens') onTokens?.();
    else if (data === 'removed_tokens') onRemoved?.();
    else if (data?.type === 'vestibule/confirmation') onConfirmation?.(data.id, data.state);
    // The height includes the border, because `box-sizing` may count it as part of the height.
    else if (data?.type === 'vestibule/resize' && data.height > 0)
      frame.style.height = `${Math.ceil(data.height) + frame.offsetHeight - frame.clientHeight}px`;
  };
  addEventListener('message', receive);
  element.append(frame);
  return {
    frame,
    obstacle:
      self.origin === 'null'
        ? 'sandbox'
        : frame.featurePolicy?.allowsFeature('storage-access') === false
          ? 'storage-access'
          : null,
    remove: () => {
      removeEventListener('message', receive);
      frame.remove();
    },
  };
}

/** The messages of the page. Another version of it may send others. */
type Message =
  | 'new_tokens'
  | 'removed_tokens'
  | { readonly type: 'vestibule/resize'; readonly height: number }
  | { readonly type: 'vestibule/confirmation'; readonly id: string; readonly state: string }
  | null;

/** Only Chromium shows what is allowed in a frame. */
type FrameWithPolicy = HTMLIFrameElement & {
  readonly featurePolicy?: { readonly allowsFeature: (name: string) => boolean };
};
