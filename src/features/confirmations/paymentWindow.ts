import type { Deps } from '@shared/deps';
import type { PasskeyOutcome, Passkeys } from '@shared/ports/ports';

/**
 * The key of `localStorage` with the refusals of the browser's own window in a row: their number, the time of the last one (ms since
 * 1970), and its payment. See `signPayment` for what a refusal means.
 */
const refusalsKey = 'payment-window';

/** After this number of refusals in a row the window is not opened for a week. */
const enough = 2;
const weekMs = 7 * 24 * 60 * 60 * 1000;

type Request = Parameters<Passkeys['signPayment']>[0];

/**
 * Asks for the passkey in the browser's own window. After a refusal the window is not opened for this payment again.
 *
 * @returns `null` where the browser's dialog for passkeys has to ask
 */
export async function askPaymentWindow<Credential>(
  { clock, storage }: Pick<Deps, 'clock' | 'storage'>,
  id: string,
  browser: Passkeys,
  request: Request,
): Promise<PasskeyOutcome<Credential> | null> {
  const [count = '', at, of] = (storage.browser.read(refusalsKey) ?? '').split(' ');
  const refusals = Number(count) || 0;
  const now = clock.now();
  const payment = encodeURIComponent(id);
  if (of === payment || (refusals >= enough && Math.abs(now - Number(at)) < weekMs)) return null;
  const outcome = await browser.signPayment<Credential>(request);
  if (outcome.kind === 'failed') return null;
  const isRefused = outcome.kind === 'refused';
  storage.browser.write(refusalsKey, isRefused ? `${String(refusals + 1)} ${String(now)} ${payment}` : null);
  return isRefused ? null : outcome;
}
