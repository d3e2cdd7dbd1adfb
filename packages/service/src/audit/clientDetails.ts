import Bowser from 'bowser';
import type { AuditOrigin } from './audit.ts';

/** Where a call came from, as its user reads it; each part is `null` where it is unknown. */
export interface ClientDetails {
  /** Such as `Firefox 153`. */
  readonly browser: string | null;
  /** Such as `Windows`. */
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
