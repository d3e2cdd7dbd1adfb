/** WebOTP, which TypeScript does not know. */
interface CodeRequest {
  readonly otp: { readonly transport: readonly ['sms'] };
  readonly signal: AbortSignal;
}
interface CodeReader {
  readonly get: (request: CodeRequest) => Promise<{ readonly code?: string | null } | null>;
}

/** See `Ports.fillTextedCode`. A browser shows the user the code and the host, and asks, before a page gets it. */
export async function fillTextedCode(
  browser: Pick<Window, 'document' | 'navigator'>,
  signal: AbortSignal,
): Promise<boolean> {
  if (!('OTPCredential' in browser)) return false;
  const { credentials } = browser.navigator as unknown as { readonly credentials: CodeReader };
  // Refused by the user, by the frame's policy, or because the screen was left.
  const response = await credentials.get({ otp: { transport: ['sms'] }, signal }).catch(() => null);
  const code = response?.code;
  const field = browser.document.querySelector<HTMLInputElement>('input[autocomplete="one-time-code"]');
  if (typeof code !== 'string' || signal.aborted || !field) return false;
  field.value = code;
  field.dispatchEvent(new Event('input', { bubbles: true }));
  return true;
}
