import type { SetupMethod } from '../setup/setup.slice';

/** The method that `/mfa-activated?method=` names; `null`: none of ours. */
export function methodOf(search: string): SetupMethod | null {
  const method = new URLSearchParams(search).get('method');
  return method === 'sms' || method === 'qrcode' ? method : null;
}
