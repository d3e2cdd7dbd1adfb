/**
 * The login hint of an e-mail: its plus-suffix is dropped from the local part (specification §4, provider sign-in).
 * `null`: not an e-mail, no hint.
 */
export function loginHintOf(username: string): string | null {
  const at = username.lastIndexOf('@');
  if (at < 1 || at === username.length - 1) return null;
  const [mailbox] = username.slice(0, at).split('+');
  return mailbox ? mailbox + username.slice(at) : null;
}
