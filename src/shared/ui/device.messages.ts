import { texts } from '@shared/texts';

/** The texts for a device and its network. */
export const deviceMessages = texts('device', {
  /** Such as 'Firefox 153 on Windows'. */
  browserOn: (browser: string, system: string): string => `${browser} on ${system}`,
  unknown: 'Unknown device',
  network: (network: string): string => `Network ${network}`,
});
