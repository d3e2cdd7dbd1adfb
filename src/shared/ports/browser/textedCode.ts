/** The request of WebOTP, which the types of TypeScript lack. */
interface CodeRequest {
  readonly otp: { readonly transport: readonly ['sms'] };
  readonly signal: AbortSignal;
}
interface CodeReader {
  readonly get: (request: CodeRequest) => Promise<{ readonly code?: string | null } | null>;
}

/** Implements `Ports.fillTextedCode` with WebOTP. The browser asks the user before a page gets the code. */
export async function fillTextedCode(
  browser: Pick<Window, 'document' | 'navigator'>,
  signal: AbortSignal,
): Promise<boolean> {
  if (!('OTPCredential' in browser)) return false;
  const { credentials } = browser.navigator as unknown as { readonly credentials: CodeReader };
  // `get` rejects if the user or the policy of the frame refuses, or if the screen is left.
  const response = await credentials.get({ otp: { transport: ['sms'] }, signal }).catch(() => null);
  const code = response?.code;
  const field = browser.document.querySelector<HTMLInputElement>('input[autocomplete="one-time-code"]');
  if (typeof code !== 'string' || signal.aborted || !field) return false;
  field.value = code;
  field.dispatchEvent(new Event('input', { bubbles: true }));
  return true;
}
