import Bowser from 'bowser';
import type { AuditOrigin } from './audit.ts';

/** Browser, system and network of a call, as shown to the user. A part that is unknown is `null`. */
export interface ClientDetails {
  /** The browser, such as `Firefox 153`. */
  readonly browser: string | null;
  /** The system, such as `Windows`. */
  readonly system: string | null;
  /** An IPv4 /24 or an IPv6 /48, which names no single device. */
  readonly network: string | null;
}

export function clientDetailsOf({ device, network }: AuditOrigin): ClientDetails {
  // bowser refuses an empty text.
  const { browser, os } = Bowser.parse(device === null || device === '' ? '?' : device);
  const [major = ''] = (browser.version ?? '').split('.');
  return {
    browser: `${browser.name ?? ''} ${major}`.trim() || null,
    system: os.name ?? null,
    network: network?.replace(/^((?:\d+\.){3})\d+$/, '$10/24') ?? null,
  };
}
