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
  // Not `origin`: a `blob:` address has that of its page.
  const target = `${url.protocol}//${url.host}`;
  if (target !== origin) throw new TypeError(`path leads to ${target}, not to ${origin}`);
  if (application !== undefined) url.searchParams.set('application', application);
  url.searchParams.set('resize', '1');

  const frame = document.createElement('iframe');
  frame.title = title;
  frame.allow = 'clipboard-write; otp-credentials; publickey-credentials-create; publickey-credentials-get';
  // Where browsers do not tell a frame its ancestors, it knows its parent by the referrer.
  frame.referrerPolicy = 'strict-origin';
  frame.src = url.href;

  const listened = new AbortController();
  const receive = ({ origin: from, source, data }: MessageEvent<unknown>) => {
    if (from !== origin || source === null || source !== frame.contentWindow) return;
    if (data === 'new_tokens') onTokens?.();
    else if (data === 'removed_tokens') onRemoved?.();
    else resize(frame, data);
  };
  addEventListener('message', receive, { signal: listened.signal });
  element.append(frame);
  return {
    frame,
    remove: () => {
      listened.abort();
      frame.remove();
    },
  };
}

function resize(frame: HTMLIFrameElement, data: unknown): void {
  const { type, height } = (data ?? {}) as { readonly type?: unknown; readonly height?: unknown };
  if (type !== 'vestibule/resize' || typeof height !== 'number' || height <= 0) return;
  const isBorderInside = getComputedStyle(frame).boxSizing === 'border-box';
  const border = isBorderInside ? frame.offsetHeight - frame.clientHeight : 0;
  frame.style.height = `${Math.ceil(height) + border}px`;
}
