/** Where the page is, and what happens there. */
export interface EmbedOptions {
  /** Origin of the sign-on page. Its `parentOrigins` must list the origin of this application. */
  readonly signOnUrl: string;
  /** Path of the screen, with its query; default `/login`. */
  readonly path?: string;
  /** Name of the application: look and name in the header. */
  readonly application?: string;
  /** What a screen reader calls the frame; default 'Sign-on page'. */
  readonly title?: string;
  /** There are new tokens in the cookies. */
  readonly onTokens?: () => void;
  /** The session has ended, or there is none. */
  readonly onRemoved?: () => void;
}

/**
 * Embeds the sign-on page at the end of the element; the frame follows the height of its content.
 *
 * @returns the frame, and what takes it away with its listener
 * @throws TypeError if `path` leads to another origin than `signOnUrl`
 */
export function embedSignOn(
  element: Element,
  { signOnUrl, path = '/login', application, title = 'Sign-on page', onTokens, onRemoved }: EmbedOptions,
): { readonly frame: HTMLIFrameElement; readonly remove: () => void } {
  const { origin } = new URL(signOnUrl);
  const url = new URL(path, origin);
  // Not by its `origin`: a `blob:` address has that of its page.
  if (!url.href.startsWith(`${origin}/`)) throw new TypeError(`path leads to ${url.href}`);
  if (application) url.searchParams.set('application', application);
  url.searchParams.set('resize', '1');

  const frame = document.createElement('iframe');
  frame.title = title;
  frame.allow = 'clipboard-write; otp-credentials';
  // Where browsers do not tell a frame its ancestors, it knows its parent by the referrer.
  frame.referrerPolicy = 'strict-origin';
  frame.src = url.href;

  const receive = ({ origin: from, source, data }: MessageEvent<unknown>) => {
    if (from !== origin || !source || source !== frame.contentWindow) return;
    if (data === 'new_tokens') onTokens?.();
    else if (data === 'removed_tokens') onRemoved?.();
    else resize(frame, data);
  };
  addEventListener('message', receive);
  element.append(frame);
  return {
    frame,
    remove: () => {
      removeEventListener('message', receive);
      frame.remove();
    },
  };
}

function resize(frame: HTMLIFrameElement, data: unknown): void {
  const { type, height } = (data ?? {}) as { readonly type?: unknown; readonly height?: unknown };
  if (type !== 'vestibule/resize' || !(Number(height) > 0)) return;
  // With its border, whatever the styles of the parent say.
  frame.style.boxSizing = 'border-box';
  frame.style.height = `${Math.ceil(Number(height)) + frame.offsetHeight - frame.clientHeight}px`;
}
