/**
 * The login hint of an e-mail: its plus-suffix is dropped from the local part (specification §4, provider sign-in).
 * `null`: not an e-mail, no hint.
 */
export function loginHintOf(email: string): string | null {
  const at = email.lastIndexOf('@');
  if (at < 1 || at === email.length - 1) return null;
  const [mailbox] = email.slice(0, at).split('+');
  return mailbox ? mailbox + email.slice(at) : null;
}
